"""The proofs a cut has to pass, by what they are about."""
