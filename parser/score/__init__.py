"""Score graphs against gold graphs: Smatch and its fine-grained parts."""
