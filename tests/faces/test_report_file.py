"""The report as a file: one page, its data inside, nothing of a session able to act on it."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from pumice.domain.manifest import Manifest, Row, Usable
from pumice.errors import StoreError
from pumice.faces import report
from pumice.faces.tracks import Figures, Track

HOSTILE = "</script><script>alert(1)</script><!-- 不要动 \u2028 migrations/"


def sample() -> report.ReportData:
    row = Row("b1", "tools", "dynamic", HOSTILE, "", "", "tool", "none", "client", "keep", "", "newest", 10, "counted", "", "")
    track = Track()
    usable = Usable(60_000, 8_000, 2_000, "argument")
    track.add(
        Figures(
            1, 10, 50_000, {"tools": 10}, 4, 6, 0, "open", Manifest(1, "l", 0, "open", "balanced", usable, 1.0, rows=(row,))
        )
    )
    summary = {"cost_usd": 0.5, "latency_ms": {"p50": 1.0, "p99": None}}
    session = report.SessionRuns(
        f"{HOSTILE}.jsonl", {"none": report.PolicyRun(summary, track), "balanced": report.PolicyRun(summary, track)}
    )
    total = {"calls": 1, "policies": {"balanced": {"cost_usd": 0.5, "worst": {"cost_usd": {"file": HOSTILE, "value": 0.5}}}}}
    return report.ReportData([session], total)


def embedded(html: str) -> dict[str, Any]:
    blob = re.search(r'<script id="pumice-data" type="text/plain">([A-Za-z0-9+/=]+)</script>', html)
    assert blob is not None
    content: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(blob[1])))
    return content


def test_a_report_carries_its_data(tmp_path: Path) -> None:
    """What is written can be read back from the page, policies in the order they were given."""
    report.write(tmp_path / "new" / "report.html", sample())
    content = embedded((tmp_path / "new" / "report.html").read_text("utf-8"))
    session = content["sessions"][0]
    assert session["file"] == f"{HOSTILE}.jsonl"
    assert list(session["policies"]) == ["none", "balanced"]
    assert session["policies"]["balanced"]["summary"]["latency_ms"] == {"p50": 1.0, "p99": None}
    assert content["generated_by"].startswith("pumice ")


def test_hostile_text_stands_nowhere_in_the_page_as_text(tmp_path: Path) -> None:
    """A file name or a source that looks like markup cannot end the element it is kept in."""
    report.write(tmp_path / "report.html", sample())
    assert "alert(1)" not in (tmp_path / "report.html").read_text("utf-8")


def test_the_page_names_no_address_to_load_from(tmp_path: Path) -> None:
    """The report can be opened where there is no network: its policy forbids every request."""
    report.write(tmp_path / "report.html", sample())
    html = (tmp_path / "report.html").read_text("utf-8")
    assert "default-src 'none'" in html
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!data:)""", html.partition("<script")[0])


def test_a_redacted_report_holds_no_words_of_the_session(tmp_path: Path) -> None:
    """File names and sources are gone, in the totals too; figures stay."""
    report.write(tmp_path / "report.html", sample(), redact=True)
    content = embedded((tmp_path / "report.html").read_text("utf-8"))
    assert "migrations" not in json.dumps(content, ensure_ascii=False)
    assert content["sessions"][0]["file"] == "session 1"
    assert content["total"]["policies"]["balanced"]["worst"]["cost_usd"] == {"file": "", "value": 0.5}


def test_the_same_replay_gives_the_same_bytes(tmp_path: Path) -> None:
    """No clock and no chance goes into the file."""
    for name in ("a", "b"):
        report.write(tmp_path / name, sample())
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The error says which file and what to do, and nothing half written remains."""
    (tmp_path / "taken").write_text("a file, not a folder")
    with pytest.raises(StoreError, match="taken"):
        report.write(tmp_path / "taken" / "report.html", sample())
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_place_no_report_can_be_written_to_is_known_before_the_replay(tmp_path: Path) -> None:
    """A folder, or a path through a file: said at once, and nothing is left there."""
    (tmp_path / "file").write_text("", "utf-8")
    for place in (tmp_path, tmp_path / "file" / "report.html"):
        with pytest.raises(StoreError, match="cannot be written"):
            report.prepare(place)
    report.prepare(tmp_path / "new" / "report.html")
    assert [path.name for path in tmp_path.rglob("*")] == ["file", "new"]
