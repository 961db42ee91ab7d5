"""The bench on which the lessons are played: Stage, sliders, step player, exercise checks."""

from mllab import check, draw, theme
from mllab.claim import claim
from mllab.explore import choice, explore, log_slider, menu, real_slider, slider, switch
from mllab.play import play
from mllab.progress import progress
from mllab.source import source
from mllab.stage import Stage

__all__ = [
    "Stage",
    "check",
    "choice",
    "claim",
    "draw",
    "explore",
    "log_slider",
    "menu",
    "play",
    "progress",
    "real_slider",
    "slider",
    "source",
    "switch",
    "theme",
]
