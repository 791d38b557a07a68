"""The massless cable: one tension per run of rope between parts that hold it back, over rings, sheaves and drums."""
