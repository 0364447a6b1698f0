"""The newest requests, kept so that the next ones are taken apart only from where they are new."""

from collections import OrderedDict

from pumice.domain.message import Request
from pumice.faces.proxy.openings import Opening

TAKEN = 2
"""Bytes of memory per byte of a body: the body, and its messages apart."""
Mark = tuple[str, ...]


class Recent:
    """One request for each mark of a client, as many as `most` bytes of memory hold."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Mark, tuple[Request, Opening]] = OrderedDict()
        self._bytes = 0

    def find(self, mark: Mark) -> tuple[Request, Opening] | None:
        """The newest request of a mark, and how it begins."""
        return self._kept.get(mark)

    def keep(self, mark: Mark, request: Request, opening: Opening) -> None:
        """Keep a request in place of the one before; the oldest give way."""
        before = self._kept.pop(mark, None)
        self._bytes += TAKEN * (len(request.body) - (len(before[0].body) if before else 0))
        self._kept[mark] = (request, opening)
        while self._bytes > self._most and self._kept:
            _, (oldest, _) = self._kept.popitem(last=False)
            self._bytes -= TAKEN * len(oldest.body)
