"""Commands of the stage parser."""
