"""The newest file reads at their own place, and results that had to come again."""

import small_sessions as small

FILES = [message for number in range(1, 5) for message in small.read(number, f"f{number}.py", f"content {number}")]
SESSION = [small.user("look"), *FILES, small.said("done")]
CALL = 5


def test_reads_are_exact_where_they_stand_untouched() -> None:
    """The full history holds every read; three of them are asked for."""
    reads = small.judged(SESSION, {})[0].score.reads
    assert reads.last.value == reads.last_three.value == 1.0
    assert reads.last_three.of == 0 + 1 + 2 + 3 + 3


def test_the_same_text_elsewhere_is_not_at_its_place() -> None:
    """A read quoted in another message does not count (frontier §7)."""
    shown = [small.user("content 4\ncontent 3"), *FILES[2:4], small.said("so")]
    reads = small.judged(SESSION, {CALL: shown}, epochs={CALL: 1})[0].score.reads
    assert (reads.last.of - reads.last.hits, reads.last_three.of - reads.last_three.hits) == (1, 2)


def test_cache_markers_do_not_change_a_read() -> None:
    """Markers are transport."""
    marked = [dict(message) for message in SESSION[:-1]]
    marked[-1] = small.result("toolu_4", "content 4")
    marked[-1]["content"][0]["cache_control"] = {"type": "ephemeral"}
    assert small.judged(SESSION, {CALL: marked})[0].score.reads.last.value == 1.0


def test_failed_reads_and_shell_output_are_no_file_reads() -> None:
    """Only what the effects table names, with a result that is no error."""
    shell = [small.call("t1", "Bash", command="cat a.py"), small.result("t1", "text")]
    failed = [small.call("t2", file_path="b.py"), small.result("t2", "no such file", is_error=True)]
    assert small.judged([small.user("go"), *shell, *failed, small.said("done")], {})[0].score.reads.last.of == 0


def test_a_result_seen_before_counts_when_it_was_not_visible() -> None:
    """Reading again is blamed on the view only where the text was gone."""
    again = [small.user("look"), *small.read(1, "a.py", "the text"), *small.read(2, "a.py", "the text"), small.said("done")]
    assert small.judged(again, {})[0].score.reads.again == 0
    assert small.judged(again, {2: [small.user("look")]}, epochs={2: 1})[0].score.reads.again == 1
