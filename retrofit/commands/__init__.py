"""Commands of the stage retrofit."""
