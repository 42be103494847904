"""English of the words of thirty languages, which the network reads beside the words."""
