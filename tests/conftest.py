"""Shared by all tests."""

import os

# single kernels are called from Python here; must be set before taut is imported
os.environ.setdefault("TAUT_CALLABLE_KERNELS", "1")
