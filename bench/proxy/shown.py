"""What came of a run: a table of contenders, rows with targets, JSON, and a page with charts."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from bench.proxy.contenders import NAMES, OFF, OURS, RELAY
from bench.proxy.tracks import Latency, Peak, Resident
from bench.row import Row
from pumice.faces import figures_page
from pumice.faces.drawn import Bar, Bars
from pumice.faces.figures_page import Section

P50, P95, PARALLEL_P95, STEADY = 5.0, 25.0, 100.0, 200.0
ABOUT = (
    "Milliseconds over a call to the upstream without anybody in between, of the least round. CPU is what the proxy's own "
    "process used for a call, answer taken in; it counts where others use the machine too."
)


class Outcome(msgspec.Struct):
    """All of one run; a part that was not asked for is empty."""

    setting: Mapping[str, object]
    latency: dict[str, Latency] = {}
    """By track."""
    memory: dict[str, Resident] = {}
    peaks: list[Peak] = []
    absent: dict[str, str] = {}


def rows(outcome: Outcome) -> Iterator[Row]:
    """What pumice is held to, then what its peers send over a window."""
    for track, latency in outcome.latency.items():
        yield from _latency_rows(track, latency)
    for name, resident in outcome.memory.items():
        target = STEADY if name == OURS else None
        yield Row(
            f"{name}: memory with many sessions",
            resident.steady,
            "MB",
            target,
            f"before {resident.idle:.0f}, right after {resident.busy:.0f} MB",
        )
    for peak in outcome.peaks:
        target = peak.window if peak.name == OURS else None
        yield Row(
            f"{peak.name}: most sent, {peak.dialect}, window {peak.window:,}", peak.tokens, "tokens", target, peak.note[:60]
        )


def _latency_rows(track: str, latency: Latency) -> Iterator[Row]:
    is_many = track == "parallel"
    for name, found in latency.figures.items():
        is_ours = name == OURS
        note = f"CPU {found.cpu:.1f} ms a call{_times(latency, found.cpu)}"
        yield Row(f"{track}: {name}, added p50", found.p50, "ms", P50 if is_ours and not is_many else None, note)
        yield Row(f"{track}: {name}, added p95", found.p95, "ms", (PARALLEL_P95 if is_many else P95) if is_ours else None)
        if track == "stream":
            yield Row(f"{track}: {name}, first byte p50", found.first_p50, "ms", P50 if is_ours else None)
            yield Row(f"{track}: {name}, first byte p95", found.first_p95, "ms", P95 if is_ours else None)
    for name, said in latency.faults.items():
        yield Row(f"{track}: {name}", None, "ms", P95 if name == OURS else None, note=said[:90])


def _times(latency: Latency, cpu: float) -> str:
    bare = latency.figures.get(RELAY) or latency.figures.get(OFF)
    return f", {cpu / bare.cpu:.1f} × the pass-through's" if bare and bare.cpu else ""


def as_json(outcome: Outcome) -> bytes:
    held = [row.as_json() for row in rows(outcome)]
    return msgspec.json.format(msgspec.json.encode({**msgspec.to_builtins(outcome), "rows": held}), indent=1)


def write_page(outcome: Outcome, path: Path) -> None:
    """Charts and figures of all contenders in one file."""
    sections = [_latency_section(track, found) for track, found in outcome.latency.items()]
    if outcome.memory:
        sections.append(_memory_section(outcome.memory))
    sections += [_peaks_section(dialect, outcome.peaks) for dialect in dict.fromkeys(peak.dialect for peak in outcome.peaks)]
    path.write_text(figures_page.page("The proxy beside others", ABOUT, sections), "utf-8")


def _latency_section(track: str, found: Latency) -> Section:
    figures = {name: found.figures[name] for name in NAMES if name in found.figures}
    headings = ("", "p50", "p95", "first byte p50", "first byte p95", "CPU a call")
    table = tuple(
        (name, *(f"{value:.1f}" for value in (one.p50, one.p95, one.first_p50, one.first_p95, one.cpu)))
        for name, one in figures.items()
    )
    charts = (
        _bars("added, p50, ms", {name: one.p50 for name, one in figures.items()}),
        _bars("added, p95, ms", {name: one.p95 for name, one in figures.items()}),
        _bars("CPU of the proxy a call, ms", {name: one.cpu for name, one in figures.items()}),
    )
    return Section(track, "", headings, table, charts, tuple(f"{name}: {said}" for name, said in found.faults.items()))


def _memory_section(memory: Mapping[str, Resident]) -> Section:
    table = tuple((name, f"{one.idle:.0f}", f"{one.busy:.0f}", f"{one.steady:.0f}") for name, one in memory.items())
    chart = _bars("MB with many sessions", {name: one.steady for name, one in memory.items()})
    return Section(
        "memory", "Resident megabytes of the process.", ("", "before", "right after", "ten seconds later"), table, (chart,)
    )


def _peaks_section(dialect: str, peaks: Sequence[Peak]) -> Section:
    own = [peak for peak in peaks if peak.dialect == dialect]
    windows = list(dict.fromkeys(peak.window for peak in own))
    names = list(dict.fromkeys(peak.name for peak in own))
    sent = {(peak.name, peak.window): peak for peak in own}
    table = tuple((name, *(_sent(sent.get((name, window))) for window in windows)) for name in names)
    return Section(
        f"most sent, {dialect}", "Tokens of the biggest request.", ("", *(f"{window:,}" for window in windows)), table
    )


def _sent(peak: Peak | None) -> str:
    return "–" if peak is None or peak.tokens is None else f"{peak.tokens:,.0f}"


def _bars(title: str, values: Mapping[str, float]) -> Bars:
    return Bars(title, tuple(Bar(name, max(value, 0.0), f"{value:.1f}") for name, value in values.items()))
