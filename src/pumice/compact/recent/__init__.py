"""Shapes of level recent: which part of a conversation stays by its place alone."""
