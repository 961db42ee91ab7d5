"""Exercise checks."""
