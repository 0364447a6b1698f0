"""Run the proxy as a process: what was asked for becomes a configuration, a gate and a server."""

import logging
import os
from collections.abc import Callable

import msgspec
from starlette.applications import Starlette

from pumice import extras
from pumice.errors import InvalidInput
from pumice.faces import serving
from pumice.faces.proxy import assembly, memory
from pumice.faces.proxy.app import create
from pumice.faces.proxy.config import MIB, Config, Limits, checked, configured
from pumice.faces.proxy.emulate import setting
from pumice.faces.proxy.emulate.setting import Mode
from pumice.faces.proxy.gate import Gate, Open, Stage
from pumice.faces.proxy.journal import Journal, log

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The flags of `pumice serve`."""

    host: str
    port: int
    anthropic: str = ""
    openai: str = ""
    gemini: str = ""
    token: str = ""
    policy: str | None = None
    window: int | None = None
    is_observing: bool = False
    is_verbose: bool = False
    max_body: int = 64
    """MiB of a request."""
    emulate: str = "auto"


def run(asked: Asked, ready: Callable[[str, bool], None], beside: Starlette | None = None) -> None:
    """Serve until told to stop; `ready` hears the URL, and whether the engine is off. Raises InvalidInput.

    `beside` is another app to serve, which knows of no callers and so needs a proxy of one person's.
    """
    upstreams = {"anthropic": asked.anthropic, "openai": asked.openai, "gemini": asked.gemini}
    limits = Limits(max_body=checked("max-body", asked.max_body) * MIB)
    if asked.window is not None:
        checked("window", asked.window)
    is_off = is_switched_off()
    emulate = Mode.OFF if is_off or asked.is_observing else setting.mode(asked.emulate)
    config = configured(host=asked.host, upstreams=upstreams, token=asked.token, limits=limits, emulate=emulate)
    if beside is not None and not config.is_alone:
        hint = "Serve them on 127.0.0.1 without a token, or run pumice mcp."
        raise InvalidInput("--mcp shows the sessions of every caller.", hint=hint)
    _log(is_verbose=asked.is_verbose)
    memory.hold()
    bound = serving.bind(asked.host, asked.port)
    app = create(config, Open(Stage.OFF) if is_off else _gate(asked, config), beside)
    ended = exported(app.state.journal)
    try:
        serving.run(app, bound, ready=lambda: ready(serving.url(bound), is_off), grace=config.limits.grace)
    finally:
        ended()


def exported(journal: Journal) -> Callable[[], None]:
    """Numbers and spans go where OpenTelemetry's variables say, if they do; what is returned ends that.

    Other programs read these variables too: without the extra it is said what is missing, and served all the same.
    """
    if not os.environ.get(ENDPOINT):
        return _nothing
    try:
        from pumice.faces.proxy import exporting
    except ModuleNotFoundError as error:
        log.warning("%s is set, but %s is not installed: %s.", ENDPOINT, error.name, extras.command("otel"))
        return _nothing
    return exporting.begin(journal)


def _nothing() -> None:
    """Nothing was begun."""


def _gate(asked: Asked, config: Config) -> Gate:
    return assembly.gate(
        asked.policy,
        asked.window,
        is_observing=asked.is_observing,
        is_here=config.is_local,
        is_alone=config.is_alone,
        emulation=config.emulation,
    )


def is_switched_off() -> bool:
    """`PUMICE_OFF=1`: every call goes through as it came."""
    return os.environ.get("PUMICE_OFF", "").lower() in ("1", "true", "yes", "on")


def _log(*, is_verbose: bool) -> None:
    """Lines on standard error, a request each where asked for; the server's own are silent."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.handlers = [handler]
    log.propagate = False
    log.setLevel(logging.INFO if is_verbose else logging.WARNING)
