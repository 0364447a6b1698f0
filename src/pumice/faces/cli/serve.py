"""`pumice serve`: the proxy between an agent and its model."""

import json as json_
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pumice import extras

if TYPE_CHECKING:
    from starlette.applications import Starlette


def serve(
    *,
    port: Annotated[int, Parameter(env_var="PUMICE_PORT")] = 8787,
    host: Annotated[str, Parameter(env_var="PUMICE_HOST")] = "127.0.0.1",
    anthropic_upstream: Annotated[str, Parameter(env_var="PUMICE_ANTHROPIC_UPSTREAM")] = "",
    openai_upstream: Annotated[str, Parameter(env_var="PUMICE_OPENAI_UPSTREAM")] = "",
    gemini_upstream: Annotated[str, Parameter(env_var="PUMICE_GEMINI_UPSTREAM")] = "",
    policy: Annotated[str | None, Parameter(env_var="PUMICE_POLICY")] = None,
    window: Annotated[int | None, Parameter(env_var="PUMICE_WINDOW")] = None,
    observe: Annotated[bool, Parameter(env_var="PUMICE_OBSERVE")] = False,
    emulate: Annotated[str, Parameter(env_var="PUMICE_EMULATE")] = "auto",
    token: Annotated[str, Parameter(env_var="PUMICE_TOKEN")] = "",
    mcp: Annotated[bool, Parameter(env_var="PUMICE_MCP")] = False,
    max_body: Annotated[int, Parameter(env_var="PUMICE_MAX_BODY")] = 64,
    verbose: Annotated[bool, Parameter(env_var="PUMICE_VERBOSE")] = False,
    json: bool = False,
) -> int:
    """Stand between any agent and its model: every call is compiled under a policy, everything else goes through.

    Each option can be set as PUMICE_… too. PUMICE_OFF=1 lets every call through as it came.

    Example: pumice serve --port 8787 --policy balanced

    Parameters
    ----------
    port
        Port to listen on, 8787 without it; 0 picks a free one.
    host
        Address to listen on, 127.0.0.1 without it. Any but this machine's own needs a token.
    anthropic_upstream
        Where Anthropic's API is, when not https://api.anthropic.com.
    openai_upstream
        Where OpenAI's API is, with /v1, when not https://api.openai.com/v1.
    gemini_upstream
        Where Gemini's API is, when not https://generativelanguage.googleapis.com.
    policy
        Preset or YAML file; without it what is in force.
    window
        Tokens the model's window has, in place of the model table's figure.
    observe
        Change nothing: record, and report what would have been saved.
    emulate
        auto, on or off: do here what clients ask a provider to do with their history (context_management, compaction);
        auto, without it: for upstreams that are not the provider's own, and models that are not Claude behind Anthropic's API.
    token
        What clients have to send as x-pumice-token; better set as PUMICE_TOKEN, which no list of processes shows.
    mcp
        Serve what `pumice mcp` serves at /mcp too, so that any MCP client can read back.
    max_body
        MiB a model call may have, 64 without it; a larger one is refused as the provider would.
    verbose
        A line on standard error for each request.
    json
        Print {"url", "host", "port", "off", "observing"} in one line when ready.
    """
    try:
        from pumice.faces.proxy import running
    except ModuleNotFoundError as error:
        raise extras.missing("pumice serve", "proxy", error) from error
    asked = running.Asked(
        host=host,
        port=port,
        anthropic=anthropic_upstream,
        openai=openai_upstream,
        gemini=gemini_upstream,
        token=token,
        policy=policy,
        window=window,
        is_observing=observe,
        is_verbose=verbose,
        max_body=max_body,
        emulate=emulate,
    )

    def ready(url: str, is_off: bool) -> None:
        line = {"url": url, "host": host, "port": int(url.rpartition(":")[2]), "off": is_off, "observing": observe}
        sys.stdout.write(json_.dumps(line) + "\n" if json else _told(url, is_off=is_off, is_observing=observe))
        sys.stdout.flush()

    running.run(asked, ready, _mcp() if mcp else None)
    return 0


def _mcp() -> "Starlette":
    try:
        from pumice.faces.mcp.running import mounted
    except ModuleNotFoundError as error:
        raise extras.missing("--mcp", "mcp", error) from error
    return mounted()


def _told(url: str, *, is_off: bool, is_observing: bool) -> str:
    """Where it listens and what to set in clients; `pumice setup` writes it for them."""
    doing = "switched off by PUMICE_OFF, calls go through" if is_off else "observing, calls go through" if is_observing else ""
    return f"""pumice serves at {url}{f" ({doing})" if doing else ""}

  Claude Code, Anthropic SDKs   ANTHROPIC_BASE_URL={url}
  OpenAI SDKs                   OPENAI_BASE_URL={url}/v1
  Codex                         pumice setup codex --url {url}
  Gemini CLI, Google SDKs       GOOGLE_GEMINI_BASE_URL={url}

Numbers are at {url}/metrics. Stop with Ctrl-C.
"""
