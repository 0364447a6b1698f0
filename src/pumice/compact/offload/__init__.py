"""The styles of level offload."""
