"""`pumice mcp`: the store's sessions as tools of the Model Context Protocol."""

from pumice import extras
from pumice.errors import InvalidInput

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def mcp(*, session: str = "", scope: str = "", http: bool = False, host: str = "127.0.0.1", port: int = 8788) -> int:
    """Serve read-back, search, notes, pins, manifest and explain to an MCP client.

    Speaks over standard input and output unless --http is given. Works on the same store as a running proxy.

    Example: pumice mcp --session build-42

    Parameters
    ----------
    session
        The one session to serve; without it each call names one, or means the newest.
    scope
        tenant:T/project:P/user:U whose sessions are served; the local tenant without it.
    http
        Serve streamable HTTP at /mcp instead.
    host
        Address for --http, 127.0.0.1 without it; this machine's own only.
    port
        Port for --http, 8788 without it; 0 picks a free one.
    """
    if http and host not in LOOPBACK:
        raise InvalidInput(
            f"--host {host!r} given, expected one of {', '.join(LOOPBACK)}: this server asks nobody who they are.",
            hint="Use pumice serve --mcp behind its token for others.",
        )
    try:
        from pumice.faces.mcp import running
    except ModuleNotFoundError as error:
        raise extras.missing("pumice mcp", "mcp", error) from error
    running.run(session=session, scope=scope, http=(host, port) if http else None)
    return 0
