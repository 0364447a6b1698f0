"""The long session shipped under examples/: a scripted agent whose tools run for real on a copy of this repository."""
