"""What level mechanical takes out: forms that cost nothing, since something newer or smaller says the same (F-C2)."""
