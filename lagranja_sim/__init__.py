"""lagranja_sim plays the board game La Granja by the million and reports what that says about its balance."""

__version__ = "0.1.0"
