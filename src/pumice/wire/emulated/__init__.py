"""Requests for what a provider would do with the history, read and taken out, for upstreams that cannot (K §1.5, §3.3, §6)."""
