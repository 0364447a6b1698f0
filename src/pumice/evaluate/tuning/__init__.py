"""Search the thresholds of a policy on one's own recordings (F-G6)."""
