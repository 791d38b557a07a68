"""Cable models, one folder each."""
