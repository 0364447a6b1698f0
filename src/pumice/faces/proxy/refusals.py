"""Errors of our own in the shape each provider gives its errors (K-P5): clients read nothing else."""

from collections.abc import Mapping

from pumice.wire import jsonbytes

_ANTHROPIC = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
_GEMINI = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    413: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    502: "UNAVAILABLE",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_OPENAI = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_exceeded"}
JSON: Mapping[str, str] = {"content-type": "application/json"}


def body(named: str, status: int, message: str, *, code: str | None = None) -> bytes:
    """The error as JSON; `named` is a dialect or a provider. Only OpenAI's has a place of its own for a code."""
    if named == "anthropic":
        error = {"type": _ANTHROPIC.get(status, "api_error"), "message": f"{code}: {message}" if code else message}
        return jsonbytes.encode({"type": "error", "error": error, "request_id": None})
    if named == "gemini":
        return jsonbytes.encode({"error": {"code": status, "message": message, "status": _GEMINI.get(status, "UNKNOWN")}})
    kind = _OPENAI.get(status, "invalid_request_error" if status < 500 else "server_error")
    return jsonbytes.encode({"error": {"message": message, "type": kind, "param": None, "code": code}})


def event(named: str, status: int, message: str) -> bytes:
    """The same error inside a stream that has begun (K-P4)."""
    if named == "openai-responses":
        # The one API whose event is the error itself, without an object around it.
        failed = {"type": "error", "code": "server_error", "message": message, "param": None}
        return b"event: error\ndata: " + jsonbytes.encode(failed) + b"\n\n"
    name = b"event: error\n" if named == "anthropic" else b""
    return name + b"data: " + body(named, status, message) + b"\n\n"
