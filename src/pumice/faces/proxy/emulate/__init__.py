"""What a provider would do with the history, done here for upstreams that cannot (F-H3, provider-contracts §1.5, §3.3, §6)."""
