"""The scenes of the lessons, one module a notebook: what is drawn, and what the caption says."""
