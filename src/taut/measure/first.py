"""What is not known before the first step: forces are those of a step, and at the start there was none."""

#: units of what a step finds: forces, torques, powers
OF_A_STEP = frozenset({"N", "N m", "W"})
