"""The proxy side by side with no proxy, a bare pass-through, and the proxies of peers."""
