"""MCP: what left the window, notes, pins and reasons, for any client that speaks the protocol."""
