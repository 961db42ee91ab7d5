"""Functions that take axes and draw one thing."""

from __future__ import annotations

from typing import Any

import numpy as np
from contourpy import contour_generator
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike
from PIL import Image

from mllab import theme


class Grid:
    """A rectangle of `columns` × `rows` places at which a decision surface is evaluated."""

    def __init__(
        self,
        xlim: tuple[float, float],
        ylim: tuple[float, float],
        columns: int = 96,
        rows: int = 72,
    ) -> None:
        self.x = np.linspace(*xlim, columns)
        self.y = np.linspace(*ylim, rows)
        self.shape = (rows, columns)
        x, y = np.meshgrid(self.x, self.y)
        self.points = np.c_[x.ravel(), y.ravel()]


def plane(
    ax: Axes,
    xlim: tuple[float, float],
    ylim: tuple[float, float],
    labels: tuple[str, str] = ("x₁", "x₂"),
) -> Grid:
    """Set up axes for points in the plane, one unit as long across as up; a grid over them."""
    frame(ax, xlim, ylim, labels)
    ax.set_aspect("equal", adjustable="box")
    return Grid(xlim, ylim)


def frame(
    ax: Axes, xlim: tuple[float, float], ylim: tuple[float, float], labels: tuple[str, str]
) -> None:
    """Set up axes for curves or bars: fixed limits, labels."""
    ax.set(xlim=xlim, ylim=ylim, xlabel=labels[0], ylabel=labels[1])
    ax.set_autoscale_on(False)


def points(
    ax: Axes,
    X: np.ndarray,
    codes: np.ndarray,
    *,
    size: float | np.ndarray = 36,
    alpha: float = 1.0,
    hollow: bool = False,
) -> None:
    """The rows of X, one shape and colour a class; `size` in points², one or one a row."""
    for c in np.unique(codes):
        mine = codes == c
        color = theme.CLASS_COLORS[c]
        look = {
            "marker": theme.CLASS_MARKERS[c],
            "markerfacecolor": "none" if hollow else color,
            "markeredgecolor": color if hollow else "white",
            "markeredgewidth": 1.4 if hollow else 0.02 * np.min(size, initial=36),
            "alpha": alpha,
            "zorder": 3,
        }
        _markers(ax, X[mine], np.broadcast_to(size, len(X))[mine], look)


def _markers(ax: Axes, X: np.ndarray, sizes: np.ndarray, look: dict[str, Any]) -> None:
    """Markers of one size are one stamp, several times quicker than a scatter."""
    if len(X) and np.ptp(sizes) == 0:
        ax.plot(X[:, 0], X[:, 1], linestyle="", markersize=np.sqrt(sizes[0]), **look)
        return
    ax.scatter(
        X[:, 0],
        X[:, 1],
        s=sizes,
        marker=look["marker"],
        facecolor=look["markerfacecolor"],
        edgecolor=look["markeredgecolor"],
        linewidth=look["markeredgewidth"],
        alpha=look["alpha"],
        zorder=look["zorder"],
    )


class Tint(Artist):
    """A small picture stretched smoothly over the whole axes, quicker than `imshow` does it."""

    def __init__(self, colors: np.ndarray) -> None:
        super().__init__()
        self.colors = np.ascontiguousarray(colors[::-1] * 255).astype(np.uint8)
        self.set_zorder(0.1)

    def draw(self, renderer: Any) -> None:
        box = self.axes.bbox
        left, bottom = round(box.x0), round(box.y0)
        size = (round(box.x1) - left, round(box.y1) - bottom)
        picture = Image.fromarray(self.colors).resize(size, Image.Resampling.BILINEAR)
        gc = renderer.new_gc()
        renderer.draw_image(gc, left, bottom, np.asarray(picture.convert("RGBA"))[::-1])
        gc.restore()


def surface(ax: Axes, grid: Grid, probability: np.ndarray, *, strength: float = 0.45) -> None:
    """Each class's probability (or share of the vote) as a tint of its colour, (places, classes).

    The grid must span the axes.
    """
    colors = theme.class_rgb(probability.shape[1])
    tint = 1 - strength * (1 - probability @ colors)
    ax.add_artist(Tint(tint.reshape(*grid.shape, 3)))


def boundary(ax: Axes, grid: Grid, probability: np.ndarray, *, color: str = theme.INK) -> None:
    """The line between the regions in which different classes lead, (places, classes)."""
    for c in range(1, probability.shape[1]):
        lead = probability[:, c] - np.delete(probability, c, axis=1).max(axis=1)
        level(ax, grid, lead, color=color, linewidth=1.4, zorder=1)


def level(ax: Axes, grid: Grid, values: np.ndarray, at: float = 0.0, **style: Any) -> None:
    """The line along which a function given on the grid takes the value `at`."""
    tracer = contour_generator(
        grid.x, grid.y, values.reshape(grid.shape), line_type="ChunkCombinedNan"
    )
    line = tracer.lines(at)[0][0]
    if line is not None:
        look = {"color": theme.INK, "linewidth": 1.6, "zorder": 2} | style
        ax.plot(line[:, 0], line[:, 1], **look)


def ring(ax: Axes, X: np.ndarray, *, size: float = 110, color: str = theme.INK) -> None:
    """Circles around the rows of X."""
    ax.scatter(X[:, 0], X[:, 1], s=size, facecolor="none", edgecolor=color, linewidth=1.6, zorder=4)


def links(ax: Axes, start: np.ndarray, ends: np.ndarray, *, color: str = theme.SOFT) -> None:
    """Straight lines from one place to many."""
    x = np.c_[np.full(len(ends), start[0]), ends[:, 0], np.full(len(ends), np.nan)]
    y = np.c_[np.full(len(ends), start[1]), ends[:, 1], np.full(len(ends), np.nan)]
    ax.plot(x.ravel(), y.ravel(), color=color, linewidth=1, zorder=2.5)


def curve(
    ax: Axes,
    x: ArrayLike,
    y: ArrayLike,
    label: str,
    *,
    color: str = theme.INK,
    style: str = "-",
    where: int = -1,
    offset: tuple[float, float] = (6, 0),
) -> None:
    """A line with its name written next to its `where`-th point instead of in a legend."""
    x, y = np.asarray(x), np.asarray(y)
    ax.plot(x, y, style, color=color, zorder=3)
    ax.annotate(
        label,
        (x[where], y[where]),
        xytext=offset,
        textcoords="offset points",
        color=color,
        va="center",
        annotation_clip=False,
    )


def marker_line(ax: Axes, x: float, text: str = "") -> None:
    """A vertical line at the current setting."""
    ax.axvline(x, color=theme.HIGHLIGHT, linewidth=1.6, zorder=1)
    if text:
        ax.annotate(
            text,
            (x, 1),
            xycoords=("data", "axes fraction"),
            xytext=(4, -4),
            textcoords="offset points",
            va="top",
            color=theme.INK,
        )


def circle(ax: Axes, center: np.ndarray, radius: float) -> None:
    """A thin circle in data units."""
    angle = np.linspace(0, 2 * np.pi, 100)
    ax.plot(
        center[0] + radius * np.cos(angle),
        center[1] + radius * np.sin(angle),
        color=theme.SOFT,
        linewidth=1,
        linestyle=(0, (4, 3)),
        zorder=2,
    )


def star(ax: Axes, place: np.ndarray, *, color: str = theme.HIGHLIGHT) -> None:
    """The place that is asked about."""
    ax.scatter(*place, s=190, marker="*", color=color, edgecolor=theme.INK, linewidth=1, zorder=2.8)


def cross(ax: Axes, X: np.ndarray, *, color: str = theme.INK) -> None:
    """Points that are wrong."""
    ax.scatter(X[:, 0], X[:, 1], s=30, marker="x", color=color, linewidth=1.2, zorder=4)


def street(ax: Axes, grid: Grid, f: np.ndarray) -> None:
    """The boundary f = 0, the margins f = ±1, and the street between them, from f on the grid."""
    inside = np.abs(f.reshape(grid.shape)) < 1
    white = np.ones((*grid.shape, 4))
    white[..., 3] = np.where(inside, 0.55, 0.0)
    ax.add_artist(Tint(white))
    level(ax, grid, f)
    for side, color in ((-1.0, theme.CLASS_COLORS[0]), (1.0, theme.CLASS_COLORS[1])):
        level(ax, grid, f, side, color=color, linewidth=1.4, linestyle=(0, (5, 3)))


def slack_cases(ax: Axes, X: np.ndarray, codes: np.ndarray, cases: np.ndarray) -> None:
    """Points in the colour of their case (beyond, on the margin, inside, misclassified).

    The shape still tells the class.
    """
    for c in np.unique(codes):
        for case in np.unique(cases):
            mine = (codes == c) & (cases == case)
            look = {
                "marker": theme.CLASS_MARKERS[c],
                "markerfacecolor": theme.SLACK_COLORS[case],
                "markeredgecolor": theme.CLASS_COLORS[c],
                "markeredgewidth": 1.2,
                "alpha": 1.0,
                "zorder": 3,
            }
            _markers(ax, X[mine], np.full(mine.sum(), 44.0), look)


def legend_above(ax: Axes, columns: int, **style: Any) -> None:
    """A legend in rows above the axes, where no data can be."""
    look = {"fontsize": 9, "handletextpad": 0.1, "columnspacing": 0.8, "borderpad": 0}
    ax.legend(
        loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=columns, frameon=False, **look | style
    )


def slack_legend(ax: Axes, *, loc: str = "above") -> None:
    """The four colours of the slack cases by name: in a row above the axes, or at `loc` inside."""
    cases = zip(theme.SLACK_COLORS, theme.SLACK_NAMES, strict=True)
    dots = [
        Line2D([], [], marker="o", linestyle="", color=color, label=name, markersize=6)
        for color, name in cases
    ]
    if loc == "above":
        legend_above(ax, 4, handles=dots)
    else:
        look = {"frameon": True, "framealpha": 0.85, "edgecolor": "none"}
        ax.legend(handles=dots, loc=loc, fontsize=9, handletextpad=0.1, **look)


def segments(ax: Axes, starts: np.ndarray, ends: np.ndarray, *, color: str = theme.INK) -> None:
    """Short lines from each start to its end: slacks, residuals, projections."""
    gap = np.full(len(starts), np.nan)
    x = np.c_[starts[:, 0], ends[:, 0], gap].ravel()
    y = np.c_[starts[:, 1], ends[:, 1], gap].ravel()
    ax.plot(x, y, color=color, linewidth=1, zorder=2.5)


def weights(ax: Axes, X: np.ndarray, codes: np.ndarray, D: np.ndarray, *, area: float = 36) -> None:
    """Points whose area is their weight: `area` for the mean weight, so that the sum stays."""
    points(ax, X, codes, size=np.maximum(area * D / D.mean(), 1.5), alpha=0.8)


def matrix(ax: Axes, K: np.ndarray, *, title: str = "") -> None:
    """A matrix as an image, zero in white, negative in blue and positive in vermilion."""
    top = np.abs(K).max() or 1.0
    share = K / top
    ends = theme.class_rgb(2)
    tint = 1 - np.abs(share)[..., None] * (1 - ends[(share > 0).astype(int)])
    ax.imshow(tint, interpolation="nearest", aspect="equal", zorder=0)
    ax.set_title(title)
