"""The layered cable: tension over its parts, and transverse waves on every span (paper 2, corrected)."""
