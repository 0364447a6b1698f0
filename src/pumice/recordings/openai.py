"""OpenAI chat runs as JSON: a list of simulations, each with its messages under `traj` (tau-bench)."""

from pumice.errors import BadRecording, BadRequest
from pumice.recordings import unroll
from pumice.recordings.bodies import values
from pumice.recordings.recording import Recording, with_skipped
from pumice.recordings.sniff import Format
from pumice.wire import jsonbytes

MESSAGES = "traj"
DIALECT = "openai-chat"


def parse(data: bytes, file: str) -> list[Recording]:
    """One recording for each run that holds a call; raises BadRecording when none does."""
    read = values(data, f"a run with {MESSAGES}")
    found: list[Recording] = []
    problems = list(read.skipped)
    for place, run in enumerate(read.found):
        try:
            found.append(_run(run, file, place))
        except BadRecording as error:
            problems.append(str(error))
    if not found:
        raise BadRecording(f"{file}: no run can be read. {problems[0] if problems else 'The list is empty.'}")
    return with_skipped(found, problems)


def _run(run: bytes, file: str, place: int) -> Recording:
    where = f"{file}[{place}]"
    try:
        outer = jsonbytes.members(run)
        messages = tuple(jsonbytes.items(outer.get(MESSAGES, b"null")))
    except BadRequest as error:
        raise BadRecording(f"{where}: {error} Expected a run with {MESSAGES}.") from None
    calls = unroll.calls(unroll.read(messages, DIALECT, where), dialect=DIALECT, model="")
    if not calls:
        raise BadRecording(f"{where}: holds no call; expected messages of a user.")
    at = list(outer).index(MESSAGES)
    del outer[MESSAGES]
    return Recording(file, Format.OPENAI, DIALECT, "", {}, messages, calls, outer=outer, messages_at=at)
