def run(d): return {}
