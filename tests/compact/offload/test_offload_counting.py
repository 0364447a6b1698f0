"""What offloading results costs to count."""

from collections.abc import Sequence

from msgspec.structs import replace

from pumice.compact import planner
from pumice.compact.layout import Layout
from pumice.compact.offload import results
from pumice.domain.policy import Offload, Policy


def test_excerpts_that_are_sure_to_be_needed_are_counted_together(story, room, counter) -> None:
    """To count a short text by itself costs as much as many: a plan over many results asks for few counts."""
    story.user("go")
    for at in range(40):
        log = "\n".join(f"built unit_{at}_{line} in {line} ms" for line in range(200))
        story.step("", ("Bash", {"command": f"make part_{at}"}, log))
    story.step("Done.", ("Bash", {"command": "true"}, "ok"))
    asked: list[int] = []

    def count(texts: Sequence[str]) -> list[int]:
        asked.append(sum("<pumice:excerpt" in text for text in texts))
        return counter(texts)

    brief = planner.briefed(story.book(), room, Policy("test", order=("offload",), offload=Offload()), count=count)
    made = results.lay_out(replace(brief, target=1_000), Layout()).forms
    counts = [n for n in asked if n]
    assert sum(counts) == len(made) > 30
    assert len(counts) < 10
