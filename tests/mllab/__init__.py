"""The bench without a browser: its pixels, and a stand-in for the page that shows them."""

from __future__ import annotations

import importlib
import inspect
import io
import pkgutil

import numpy as np
from PIL import Image

from mllab import lessons, theme


def decoded(png):
    """A PNG's pixels, (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def live(stage):
    """The frame that the stage shows now."""
    with theme.applied():
        return stage.pixels().copy()


def drawn_whole(stage):
    """The same picture, drawn by matplotlib from the background to the last label."""
    for ax in stage.axes.values():
        for artist in (ax, *ax.get_children()):
            artist.set_animated(False)
    with theme.applied():
        stage.figure.canvas.draw()
    stage._backdrop_key = None  # it has been drawn over
    return np.asarray(stage.figure.canvas.buffer_rgba()).copy()


class Screen:
    """What stage.js does with the messages of a stage, on an array instead of a canvas."""

    def __init__(self, stage):
        self.stage = stage
        self.pixels = None
        self.handles = []
        self.frames = self.done = 0
        self.patches = []  # (height, width) of each
        stage.send = self.receive

    def receive(self, message, buffers=()):
        if message["kind"] == "done":
            self.done += 1
            return
        patch = decoded(buffers[0])
        if self.pixels is None or self.pixels.shape[:2] != (message["height"], message["width"]):
            assert message["full"], "a patch for a picture that this view has not seen"
            self.pixels = np.zeros((message["height"], message["width"], 3), dtype=np.uint8)
        rows, columns, _ = patch.shape
        x, y = message["x"], message["y"]
        self.pixels[y : y + rows, x : x + columns] = patch
        self.handles = message["handles"]
        self.frames += 1
        self.patches.append((rows, columns))

    def hello(self, scale=1):
        self.stage._receive(self.stage, {"kind": "hello", "scale": scale}, [])

    def point(self, kind, x, y, i=None):
        """A pointer event, in picture pixels as the browser sends it."""
        self.stage._receive(self.stage, {"kind": kind, "i": i, "x": x, "y": y}, [])


def scenes(ending):
    """Every function of mllab.lessons whose name ends so and that needs no arguments."""
    found = []
    for module in pkgutil.iter_modules(lessons.__path__, "mllab.lessons."):
        for name, function in inspect.getmembers(
            importlib.import_module(module.name), inspect.isfunction
        ):
            if name.endswith(ending) and function.__module__ == module.name:
                parameters = inspect.signature(function).parameters.values()
                if all(p.default is not p.empty for p in parameters):
                    found.append(function)
    return found


def name_of(function):
    return f"{function.__module__.rsplit('.', 1)[-1]}.{function.__name__}"
