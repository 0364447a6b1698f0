"""Agent clients on this machine: what points them at the proxy, and where they keep their sessions."""
