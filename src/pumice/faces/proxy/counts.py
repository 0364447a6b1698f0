"""The engine's part of `/metrics`: sizes, money, epochs, passes and alerts, by labels out of short lists (F-G1)."""

from pumice.domain.account import Account
from pumice.faces.proxy.gate import Prepared, Stage
from pumice.faces.proxy.metrics import Counter, Gauge, Histogram, Metric
from pumice.faces.proxy.seen import Seen

SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
MOST_OPEN = 1024
"""Conversations whose breaker is remembered as open; the oldest are forgotten."""
FAULT = "x-pumice-fault"
_CALL = ("dialect", "policy")


class Counts:
    """Counted on the server's own thread, of what the gate has noted of a call; the metrics are public."""

    def __init__(self) -> None:
        self.sent = Counter("pumice_input_tokens_sent_total", "Input tokens as they went upstream.", _CALL)
        self.full = Counter("pumice_input_tokens_full_total", "Of the same calls: tokens of the clients' own requests.", _CALL)
        self.reported = Counter("pumice_input_tokens_reported_total", "Input tokens providers reported.", _CALL)
        self.read = Counter("pumice_cache_read_tokens_total", "Of them, read from the provider's cache.", _CALL)
        self.spent = Counter("pumice_cost_usd_total", "Dollars of calls whose model has a known price.", _CALL)
        self.full_usd = Counter("pumice_cost_full_usd_total", "What the clients' own requests would have cost there.", _CALL)
        self.read_backs = Counter("pumice_read_backs_total", "Blocks that were read back.", _CALL)
        self.occupancy = Histogram(
            "pumice_occupancy_ratio", "Tokens of a view over those that are usable.", _CALL, bounds=SHARES
        )
        self.epochs = Counter("pumice_epochs_total", "Epochs that began, cuts among them.", ("policy", "cause"))
        self.levels = Counter("pumice_levels_total", "Levels that took something out of view in a cut.", ("policy", "level"))
        self.left = Counter("pumice_blocks_left_total", "Blocks that left the view with a cut.", ("policy", "level"))
        self.passes = Counter(
            "pumice_passes_not_made_total",
            "Passes that were due and not made because they would not pay, or failed.",
            ("policy", "kind"),
        )
        self.open = Gauge("pumice_breakers_open", "Conversations whose breaker was open at their newest call.")
        self.fallen = Counter(
            "pumice_ladder_faults_total", "Calls for which the engine failed above the step they went through on.", ("stage",)
        )
        self.alerts = Counter("pumice_alerts_total", "Calls at which an alert stood.", ("policy", "kind"))
        self._open: dict[str, None] = {}

    @property
    def metrics(self) -> list[Metric]:
        return [value for value in vars(self).values() if isinstance(value, Metric)]

    def prepared(self, made: Prepared) -> None:
        """A request is ready to go upstream."""
        if FAULT in made.told:
            self.fallen.add(made.stage)
        if made.seen is not None:
            self._see(made.seen)

    def answered(self, made: Prepared) -> None:
        """Its answer is on the books, if it came to that; of a call that was only observed, what the engine would have sent."""
        if made.stage is Stage.OBSERVED and made.seen is not None:
            self._see(made.seen)
        if made.row is not None:
            self._enter(made.row)

    def _see(self, seen: Seen) -> None:
        self.occupancy.see(seen.occupancy, seen.dialect, seen.policy)
        for cause in seen.epochs:
            self.epochs.add(seen.policy, cause)
        for level in seen.levels:
            self.levels.add(seen.policy, level)
        for level, count in seen.left.items():
            self.left.add(seen.policy, level, by=count)
        for kind, count in (("declined", int(seen.is_declined)), ("failed", seen.failed)):
            if count:
                self.passes.add(seen.policy, kind, by=count)
        for kind in seen.alerts:
            self.alerts.add(seen.policy, kind)
        self._breaker(seen)

    def _breaker(self, seen: Seen) -> None:
        self._open.pop(seen.place, None)
        if seen.is_open:
            self._open[seen.place] = None
            if len(self._open) > MOST_OPEN:
                del self._open[next(iter(self._open))]
        self.open.set(len(self._open))

    def _enter(self, row: Account) -> None:
        labels = (row.dialect, row.policy)
        if row.sent is not None and row.full is not None:
            self.sent.add(*labels, by=row.sent)
            self.full.add(*labels, by=row.full)
        if row.is_reported and row.sent is not None:
            self.reported.add(*labels, by=row.sent)
            self.read.add(*labels, by=row.read or 0)
        if row.cost_usd is not None and row.full_cost_usd is not None:
            self.spent.add(*labels, by=row.cost_usd)
            self.full_usd.add(*labels, by=row.full_cost_usd)
        if row.read_backs:
            self.read_backs.add(*labels, by=row.read_backs)
