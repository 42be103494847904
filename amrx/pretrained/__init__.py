"""Load pretrained models from local folders, the hub's cache and packages."""
