"""The judge: for each tool call, whether it stays and whether its result does, two decisions (F-C12)."""
