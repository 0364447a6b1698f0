"""The field's experiments on a recorded session, as figures: each arm is a replay of the whole session (F-G5)."""
