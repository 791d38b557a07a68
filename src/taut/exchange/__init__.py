"""Standard doors in and out: FMI units out, URDF and MJCF in."""
