"""A long session of a coding agent, played through the proxy by the providers' own SDKs against a scripted upstream."""
