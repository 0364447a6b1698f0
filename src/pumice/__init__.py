"""pumice compiles what each model call should see, from an append-only ledger, under a budget."""

__version__ = "0.1.0"
