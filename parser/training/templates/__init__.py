"""Make sentences and their graphs from templates: meanings in eight languages, captions in three."""
