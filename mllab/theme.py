"""One look for every picture: colours, shapes, sizes.

The palette is Okabe and Ito's, which stays distinct under every common colour blindness;
classes differ by shape as well, so that a grey print-out still tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib as mpl
import numpy as np

DPI = 100
SIZE = (8.0, 4.2)  # inches: 800 × 420 pixels on an ordinary screen
PRINT_SCALE = 1.5  # pictures stored in a notebook have this many pixels per screen pixel

CLASS_COLORS = (
    "#0072B2",  # blue
    "#D55E00",  # vermilion
    "#009E73",  # green
    "#CC79A7",  # purple
    "#E69F00",  # orange
    "#56B4E9",  # sky
    "#F0E442",  # yellow
    "#000000",
    "#999999",
    "#7B3F00",
)
CLASS_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "<", ">", "p")

INK = "#222222"  # text, axes, what matters
SOFT = "#6B6B6B"  # what supports it
FAINT = "#D9D9D9"  # grids and guides
HIGHLIGHT = "#E69F00"  # the one thing to look at now

# beyond the margin, on it, inside the street, misclassified
SLACK_COLORS = ("#999999", "#009E73", "#E69F00", "#222222")
SLACK_NAMES = ("beyond", "on the margin", "inside", "misclassified")

STYLE = {
    "figure.dpi": DPI,
    "figure.figsize": SIZE,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.dpi": DPI * PRINT_SCALE,
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.labelsize": 11,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.prop_cycle": mpl.cycler(color=CLASS_COLORS),
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "legend.frameon": False,
    "legend.fontsize": 10,
    "lines.linewidth": 2.0,
    "lines.solid_capstyle": "round",
}


@contextmanager
def applied() -> Iterator[None]:
    """The course's look inside a `with`, whatever the caller's matplotlib settings are."""
    with mpl.rc_context(STYLE):
        yield


def class_rgb(count: int) -> np.ndarray:
    """The first `count` class colours as RGB in [0, 1], (count, 3)."""
    return np.array([mpl.colors.to_rgb(c) for c in CLASS_COLORS[:count]])
