"""Violations: provider rules, unrecorded rewrites, blocks a manifest forgets, views over the budget."""

import small_sessions as small

from pumice.domain.manifest import Manifest, Row, Usable

SESSION = [small.user("look"), *small.read(1, "a.py", "text"), *small.read(2, "b.py", "more"), small.said("done")]


def test_the_full_history_of_a_valid_session_breaks_nothing() -> None:
    """No false alarms."""
    done, _ = small.judged(SESSION, {})
    assert (done.score.violations, done.score.overflows, done.score.epochs, done.notes) == (0, 0, 0, ())


def test_a_result_without_its_call_breaks_a_provider_rule() -> None:
    """The rules are run on every view."""
    done, _ = small.judged(SESSION, {2: [SESSION[0], SESSION[2]]}, epochs={2: 1})
    assert done.score.violations > 0
    assert "call 2" in done.notes[0]


def test_a_prefix_that_moves_within_an_epoch_is_a_violation() -> None:
    """The same rewrite under a new epoch number is on record, and fine."""
    shown = [small.user("look closely"), *SESSION[1:5]]
    unrecorded, _ = small.judged(SESSION, {3: shown})
    recorded, _ = small.judged(SESSION, {3: shown}, epochs={3: 1})
    assert (unrecorded.score.violations, recorded.score.violations) == (1, 0)
    assert (unrecorded.score.epochs, recorded.score.epochs) == (0, 1)


def test_a_request_over_usable_is_an_overflow() -> None:
    """By the complete request."""
    assert small.judged(SESSION, {}, usable=5)[0].score.overflows == 3


def _manifest(*hashes: str) -> Manifest:
    rows = tuple(
        Row(f"b{at}", "history", "dynamic", "", "", "", "user", "none", "", "keep", "", "", 1, "", "none", digest)
        for at, digest in enumerate(hashes, 1)
    )
    return Manifest(2, "main", 0, "open", "test", Usable(1000, 0, 0, "test"), 1.25, rows=rows)


def test_every_block_of_the_history_must_have_its_row() -> None:
    """A manifest that leaves a block out, or names another, counts one violation for each."""
    hashes = [source.block.hash for source in small.written(*SESSION).sources][:3]
    whole, _ = small.judged(SESSION, {}, manifests={2: _manifest(*hashes)})
    short, _ = small.judged(SESSION, {}, manifests={2: _manifest(*hashes[:2])})
    wrong, _ = small.judged(SESSION, {}, manifests={2: _manifest(*hashes[:2], "0" * 64)})
    assert [done.score.violations for done in (whole, short, wrong)] == [0, 1, 1]
