"""The Stage: a matplotlib picture that answers while a slider moves or a point is dragged.

A scene is an ordinary function that draws on ordinary axes. The Stage calls it anew for every
frame and makes that cheap: axes, ticks and labels are painted once and kept; of the finished
frame only the part that changed is sent; the browser decodes it before it shows it, so nothing
flickers. Where there is no kernel the very same picture is a PNG in the notebook's file.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import anywidget
import numpy as np
import traitlets
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from mllab import theme

HERE = Path(__file__).parent
Mosaic = Sequence[str] | Sequence[Sequence[str]]  # names of axes: one row, or several


class Picture:
    """A figure that stands still: drawn once, stored as a PNG. `ax` and `axes` as on a Stage."""

    def __init__(
        self,
        mosaic: Mosaic = ("plane",),
        *,
        size: tuple[float, float] = theme.SIZE,
        widths: Sequence[float] | None = None,
        text: str,
    ) -> None:
        self.figure, self.axes = _figure(mosaic, size, widths)
        self.ax = next(iter(self.axes.values()))
        self.text = text  # what it shows, in words

    def __repr__(self) -> str:
        return self.text

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        return _print(self.figure), _print_size(self.figure)


class Pointer(NamedTuple):
    """What the reader did with the pointer, in data coordinates of the axes with the handles."""

    kind: str  # "drag", "drop", "add", "remove" or "hover"
    i: int | None  # the point, if it was on one
    x: float
    y: float


class Stage(anywidget.AnyWidget):
    """A live figure. `stage.ax` is its first axes, `stage.axes[name]` any of them.

    Set the fixed parts up once (limits, labels), then hand `show` a function that draws the rest.
    """

    _esm = HERE / "stage.js"
    _css = HERE / "stage.css"
    width = traitlets.Int().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    label = traitlets.Unicode("").tag(sync=True)
    adds = traitlets.Bool(False).tag(sync=True)
    hovers = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        mosaic: Mosaic = ("plane",),
        *,
        size: tuple[float, float] = theme.SIZE,
        widths: Sequence[float] | None = None,
    ) -> None:
        self.figure, self.axes = _figure(mosaic, size, widths)
        self.ax = next(iter(self.axes.values()))
        self.drawn: list[Artist] = []  # what the scene drew, and the next frame replaces
        self._handles: tuple[Axes, np.ndarray] = (self.ax, np.empty((0, 2)))
        self._backdrop: Any = None
        self._backdrop_key: Any = None
        self._arranged: Any = None
        self._sent: np.ndarray | None = None
        self._listeners: list[Callable[[Pointer], None]] = []
        super().__init__(**_print_size(self.figure))
        self.on_msg(self._receive)

    def show(self, scene: Callable[[], Any]) -> Any:
        """Replace what the last scene drew by what `scene()` draws; returns what it returns.

        If the scene raises, the last picture stays.
        """
        fixed = {ax: set(ax.get_children()) - set(self.drawn) for ax in self.axes.values()}
        last, handles = self.drawn, self._handles
        with theme.applied():
            for ax in fixed:
                ax.set_prop_cycle(None)  # every frame begins with the first colour
            try:
                answer = scene()
            except Exception:
                self._remove(fixed, keep=last)
                self._handles = handles
                raise
            self._remove(fixed, only=last)
            self.drawn = [a for ax in fixed for a in ax.get_children() if a not in fixed[ax]]
            self._send_frame()
        return answer

    def _remove(
        self,
        fixed: dict[Axes, set[Artist]],
        keep: Sequence[Artist] = (),
        only: Sequence[Artist] | None = None,
    ) -> None:
        for ax, artists in fixed.items():
            for artist in ax.get_children():
                if artist in artists or artist in keep or (only is not None and artist not in only):
                    continue
                artist.remove()
            ax.containers[:] = [c for c in ax.containers if any(a.axes for a in c.get_children())]

    def handles(self, points: ArrayLike, ax: Axes | None = None) -> None:
        """The points that can be dragged, (n, 2) in data coordinates."""
        self._handles = (ax or self.ax, np.asarray(points, dtype=float).reshape(-1, 2))

    def on_pointer(self, listener: Callable[[Pointer], None]) -> None:
        """Call `listener` with every Pointer event."""
        self._listeners.append(listener)

    # ---- painting ---------------------------------------------------------------------------

    def pixels(self) -> np.ndarray:
        """The current frame, (height, width, 4) bytes."""
        canvas = self.figure.canvas
        # Spines are fixed, but the tint of a surface belongs below them.
        above = [
            artist
            for ax in self.axes.values()
            for artist in (*(ax.spines.values() if ax.axison else ()), ax.title, ax._left_title)
        ]
        for artist in (*self.drawn, *above):
            artist.set_animated(True)  # left out of the backdrop
        key = self._fixed_parts()
        if key != self._backdrop_key:
            if key[1] != self._arranged:
                _arrange_anew(self.figure)
            canvas.draw()
            self.figure.set_layout_engine("none")  # the axes stay there, or each draw moves them
            self._arranged = self._fixed_parts()[1]
            self._backdrop = canvas.copy_from_bbox(self.figure.bbox)
            self._backdrop_key = self._fixed_parts()
        canvas.restore_region(self._backdrop)
        for artist in sorted((*self.drawn, *above), key=lambda artist: artist.get_zorder()):
            artist.axes.draw_artist(artist)
        return np.asarray(canvas.buffer_rgba())

    def _fixed_parts(self) -> Any:
        """Whatever, if it changes, makes the kept backdrop stale."""
        return self.figure.dpi, [
            (
                ax.viewLim.bounds,
                ax.get_xscale(),
                ax.get_yscale(),
                ax.get_xlabel(),
                ax.get_ylabel(),
                ax.axison,
            )
            for ax in self.axes.values()
        ]

    def _send_frame(self, whole: bool = False) -> None:
        frame = self.pixels()
        height, width, _ = frame.shape
        rows, columns = slice(0, height), slice(0, width)
        if self._sent is not None and self._sent.shape == frame.shape and not whole:
            changed = (frame.view(np.uint32) != self._sent.view(np.uint32))[:, :, 0]
            rows, columns = _span(changed.any(axis=1)), _span(changed.any(axis=0))
        self._sent = frame.copy()
        message = {
            "kind": "frame",
            "x": columns.start,
            "y": rows.start,
            "full": (rows, columns) == (slice(0, height), slice(0, width)),
            "width": width,
            "height": height,
            "handles": self._handle_pixels().tolist(),
        }
        self.send(message, [_png(frame[rows, columns, :3])])

    def _handle_pixels(self) -> np.ndarray:
        ax, points = self._handles
        if not len(points):
            return points
        pixels = ax.transData.transform(points) / (self.figure.dpi / theme.DPI)
        return np.c_[pixels[:, 0], self.height - pixels[:, 1]].round(1)

    # ---- events -----------------------------------------------------------------------------

    def _receive(self, _: Any, message: dict[str, Any], __: Any) -> None:
        if message["kind"] == "hello":
            scale = min(max(float(message.get("scale", 1)), 1), 2)
            self.figure.set_dpi(theme.DPI * scale)
            with theme.applied():
                self._send_frame(whole=True)
            return
        try:
            ax, _points = self._handles
            x, y = self._to_data(ax, message["x"], message["y"])
            for listener in self._listeners:
                listener(Pointer(message["kind"], message["i"], x, y))
        finally:
            self.send({"kind": "done"})

    def _to_data(self, ax: Axes, x: float, y: float) -> tuple[float, float]:
        """Picture pixels to data coordinates, held inside the axes."""
        scale = self.figure.dpi / theme.DPI
        box = ax.bbox
        across = np.clip(x * scale, box.x0, box.x1)
        up = np.clip((self.height - y) * scale, box.y0, box.y1)
        x, y = ax.transData.inverted().transform((across, up))
        return float(x), float(y)

    # ---- where there is no kernel -------------------------------------------------------------

    def png(self) -> bytes:
        """The current picture for print: the same artists, more pixels."""
        self._backdrop_key = None  # printing uses the canvas that holds it
        return _print(self.figure)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return with_picture(super()._repr_mimebundle_(**kwargs), self, self.label)


def with_picture(bundle: Any, stage: Stage, text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A widget's display bundle that also holds the stage as PNG, and fixed text."""
    data = dict(bundle[0] if isinstance(bundle, tuple) else bundle or {})
    data["text/plain"] = text
    data["image/png"] = stage.png()
    return data, {"image/png": _print_size(stage.figure)}


def _figure(
    mosaic: Mosaic, size: tuple[float, float], widths: Sequence[float] | None
) -> tuple[Figure, dict[str, Axes]]:
    """A figure in the course's look, its axes side by side."""
    with theme.applied():
        figure = Figure(figsize=size, dpi=theme.DPI, layout="constrained")
        FigureCanvasAgg(figure)
        rows = [list(mosaic)] if isinstance(mosaic[0], str) else mosaic
        return figure, figure.subplot_mosaic(rows, width_ratios=widths)


def _arrange_anew(figure: Figure) -> None:
    """Let the next draw lay the axes out, from scratch.

    A layout starts where the last one ended, and with a fixed aspect each moves the axes by
    fractions of a pixel: the same picture would depend on what was shown before.
    """
    for ax in figure.axes:
        ax.set_subplotspec(ax.get_subplotspec())
    figure.set_layout_engine("constrained")


def _print(figure: Figure) -> bytes:
    """The figure as a PNG with the pixels of a good screen and nothing that changes in time."""
    file = io.BytesIO()
    with theme.applied():
        dpi = theme.DPI * theme.PRINT_SCALE
        figure.savefig(file, format="png", dpi=dpi, metadata={"Software": None})
        figure.set_layout_engine("none")  # so that printed twice it is the same
    return file.getvalue()


def _print_size(figure: Figure) -> dict[str, int]:
    """How large the PNG is to be shown, in screen pixels."""
    width, height = (round(inches * theme.DPI) for inches in figure.get_size_inches())
    return {"width": width, "height": height}


def _span(changed: np.ndarray) -> slice:
    """From the first to the last that changed; one that did not where none did."""
    where = np.flatnonzero(changed)
    return slice(int(where[0]), int(where[-1]) + 1) if where.size else slice(0, 1)


def _png(pixels: np.ndarray) -> bytes:
    """(height, width, 3) bytes as a PNG, unfiltered and lightly packed.

    Encoders try several filters on each row to save bytes; here time is dearer than bytes, and
    flat colours pack well without. This takes less than half of an ordinary encoder's time.
    """
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)  # a row begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits a channel, RGB
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
