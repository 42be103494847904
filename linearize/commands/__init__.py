"""Commands of the stage linearize."""
