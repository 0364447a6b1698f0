"""Recorded sessions of other tools, read as the model calls they were."""

from pumice.recordings.files import open_recording as open  # noqa: A004 - called as `recordings.open`
from pumice.recordings.recording import RecordedCall, Recording
from pumice.recordings.write import write

__all__ = ["RecordedCall", "Recording", "open", "write"]
