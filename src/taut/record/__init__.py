"""Recordings (HDF5), statistics over a run, and the run that feeds both."""

from taut.record.errors import RecordError
from taut.record.recorder import Recorder
from taut.record.recording import Frame, Recording, is_recording
from taut.record.report import Figure, Report, add_error_bars
from taut.record.run import run
from taut.record.statistics import Measure, Watch, measures_of

__all__ = [
    "Figure",
    "Frame",
    "Measure",
    "RecordError",
    "Recorder",
    "Recording",
    "Report",
    "Watch",
    "add_error_bars",
    "is_recording",
    "measures_of",
    "run",
]
