"""Classical machine learning, each algorithm written once, in numpy, to be read.

Every iterative method is a generator of its own steps: `fit` runs it to its end, a notebook
walks it, a test asserts on it.
"""
