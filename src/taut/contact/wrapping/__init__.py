"""Taut rope over geometry: where a straight span meets an obstacle, and the shortest path round what it met.

`touch` finds when and from which side a moving span meets a body, `edges` the edge of a polyhedron that it has to go over,
`turn` the path round one cylinder and `chain` that round several.
"""
