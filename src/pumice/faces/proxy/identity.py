"""Whose call it is, and which conversation it says it belongs to: from its credential and its client's marks (K §9.6).

Clients: what `real-clients` has seen Claude Code, Codex and Gemini CLI send. What no mark names is told by its opening
(`openings.py`).
"""

import base64
import binascii
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from pumice.domain import scope as scopes
from pumice.domain.message import Request
from pumice.errors import BadRequest, InvalidInput
from pumice.faces.proxy.gate import Call
from pumice.wire import jsonbytes
from pumice.wire.values import mapping, string

SESSION, SCOPE = "x-pumice-session", "x-pumice-scope"
MAIN = "main"
MARKS = ("x-claude-code-session-id", "x-claude-code-agent-id", "thread-id", "thread_id")
"""Headers by which clients tell sessions and agents apart."""
MOST = 200
"""Characters of a client's mark that may stand in a session's name; a longer one is hashed."""
_KEYS = ("x-api-key", "x-goog-api-key", "api-key")
_ROTATING = "sk-ant-oat"
"""Claude.ai logins: the token is another every few hours, the account stays."""

_KEY = b"credential\0"

Hash = Callable[[bytes], bytes]


class Named(msgspec.Struct, frozen=True):
    """Whose conversation a call belongs to."""

    scope: str
    session: str = ""
    """Name of the session; empty where only the opening tells."""
    agent: str = MAIN
    group: str = ""
    """What conversations without a name have in common that others do not, such as a cache key; hex or empty."""
    is_narrowed: bool = True
    """False: a scope was asked for that the credential does not give, and was left out."""


def named(call: Call, request: Request, hashed: Hash, *, is_alone: bool = True) -> Named:
    """The conversation of a call; `hashed` is the store's keyed hash, so that no credential stands anywhere.

    `is_alone`: whoever can connect is the same person, so that what a login says of itself is believed.
    """
    headers, user = call.headers, _user(request)
    scope, is_narrowed = _scope(headers, _credential(call, user, is_alone=is_alone), hashed)
    session, agent = _marked(headers, user)
    group = request.fields.get("prompt_cache_key", b"") or headers.get("session-id", headers.get("session_id", "")).encode()
    return Named(
        scope,
        session if _is_name(session) else f"named-{_short(hashed, session.encode())}",
        agent if _is_name(agent) else _short(hashed, agent.encode()),
        _short(hashed, b"group\0" + group) if group else "",
        is_narrowed,
    )


def _marked(headers: Mapping[str, str], user: Mapping[str, Any]) -> tuple[str, str]:
    """Session and agent as the client itself tells them apart; no session where it does not."""
    if ours := headers.get(SESSION):
        return ours, headers.get("x-claude-code-agent-id") or MAIN
    if theirs := headers.get("x-claude-code-session-id") or string(user.get("session_id")):
        return f"claude-code-{theirs}", headers.get("x-claude-code-agent-id") or MAIN
    # Not `session-id` nor the cache key: sub-agents of Codex share those with their parent.
    thread = headers.get("thread-id") or headers.get("thread_id")
    return (f"codex-{thread}", MAIN) if thread else ("", MAIN)


def _user(request: Request) -> Mapping[str, Any]:
    """`metadata.user_id` where it is what Claude Code writes there: JSON in a string, or fields joined by underscores."""
    try:
        told = string(mapping(jsonbytes.decode(request.fields.get("metadata", b"{}"))).get("user_id"))
        if told.startswith("{"):
            return mapping(jsonbytes.decode(told.encode()))
    except (BadRequest, UnicodeEncodeError):
        return {}
    before, mark, session = told.partition("_session_")
    _, _, account = before.partition("_account_")
    return {"session_id": session, "account_uuid": account} if mark and told.startswith("user_") else {}


def credentials(call: Call) -> Iterator[str]:
    """Whatever of a call opens a door: keys, tokens, and what its cookies hold."""
    yield from (call.headers[name] for name in _KEYS if name in call.headers)
    yield from call.headers.get("authorization", "").split()[-1:]
    yield from parse_qs(urlsplit(call.path).query).get("key", [])
    for pair in call.headers.get("cookie", "").split(";"):
        yield pair.partition("=")[2].strip()


def _credential(call: Call, user: Mapping[str, Any], *, is_alone: bool) -> bytes:
    """What stays the same of a caller's credential; empty where there is none.

    Only the upstream knows whether a login is who it says: where others may connect, its token alone speaks for it. What a
    login says and what a key is are of two kinds, so that no key spells somebody's name.
    """
    for name in _KEYS:
        if key := call.headers.get(name):
            return _KEY + key.encode()
    kind, _, token = call.headers.get("authorization", "").partition(" ")
    if is_alone and (login := _login(token, user)):
        return b"login\0" + login.encode("utf-8", "surrogatepass")
    key = token or kind or parse_qs(urlsplit(call.path).query).get("key", [""])[0]
    return _KEY + key.encode() if key else b""


def _login(token: str, user: Mapping[str, Any]) -> str:
    """Whom a token that is renewed belongs to, as it or its client says; empty for keys."""
    if token.startswith(_ROTATING):
        account = string(user.get("account_uuid"))
        return f"{_ROTATING} {account}" if account else ""
    return _subject(token)


def _subject(token: str) -> str:
    """Issuer and subject of a JSON web token, which outlive it; empty for any other. The signature is not looked at."""
    parts = token.split(".")
    if len(parts) != 3:
        return ""
    try:
        claims = mapping(jsonbytes.decode(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4))))
    except (BadRequest, binascii.Error, ValueError):
        return ""
    subject = string(claims.get("sub"))
    return f"jwt {string(claims.get('iss'))} {subject}" if subject else ""


def _scope(headers: Mapping[str, str], credential: bytes, hashed: Hash) -> tuple[str, bool]:
    """The caller's own scope, narrowed by what the header asks for; a header that asks for another's is left out."""
    user = _short(hashed, credential) if credential else ""
    own = scopes.Scope(user=user)
    try:
        asked = scopes.parse(headers.get(SCOPE, ""))
    except InvalidInput:
        return str(own), False
    is_own = asked.tenant == own.tenant and asked.user in ("", user)
    return (str(msgspec.structs.replace(asked, user=user)), True) if is_own else (str(own), False)


def _short(hashed: Hash, value: bytes) -> str:
    return hashed(value)[:8].hex()


def _is_name(text: str) -> bool:
    return len(text) <= MOST and text.isprintable()
