"""A smaller session, written in the format it was recorded in."""

from collections.abc import Sequence

from pumice import wire
from pumice.recordings import openai, write_claude, write_codex, write_gemini, write_pi
from pumice.recordings.recording import Recording, place
from pumice.recordings.sniff import Format
from pumice.wire import jsonbytes


def write(recording: Recording, messages: Sequence[bytes]) -> bytes:
    """The file of a session with these messages in place of its own.

    Bodies and message lists keep every other byte of their JSON values. Logs keep what stands around their messages, are
    linked anew, and are read back as these messages, but for a user message with both results and words: it comes back as two.
    """
    if recording.format == Format.CLAUDE_CODE:
        return write_claude.write(recording, messages)
    if recording.format == Format.PI:
        return write_pi.write(recording, messages)
    if recording.format == Format.CODEX:
        return write_codex.write(recording, messages)
    if recording.format == Format.GEMINI_CLI:
        return write_gemini.write(recording, messages)
    if recording.format == Format.MESSAGES:
        return jsonbytes.join_array(messages) + b"\n"
    if recording.format == Format.OPENAI:
        run = place(recording.outer, messages, at=recording.messages_at, key=openai.MESSAGES)
        return jsonbytes.join_array([run]) + b"\n"
    key = wire.get(recording.dialect).field
    return place({**recording.fields, **recording.outer}, messages, at=recording.messages_at, key=key) + b"\n"
