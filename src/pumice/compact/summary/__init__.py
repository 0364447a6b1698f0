"""Summaries: templates, the extractive summariser, questions to a model and the proof of its answers, merging."""
