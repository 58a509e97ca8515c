"""For writers of policies: what a file says of itself, a file to start from, a check, and errors in plain words."""

PACKAGES = "lagranja_policies_"  # begins the name of the package that a folder of policies is loaded as
