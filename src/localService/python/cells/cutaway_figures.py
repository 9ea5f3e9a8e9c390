"""Backend of Matplotlib that keeps each shown figure as a picture. Part of the sandbox's library."""

import io

from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

MAX_PICTURES = 8
MAX_BYTES = 256 * 1024
pictures = []


class FigureManager(FigureManagerBase):
    @classmethod
    def pyplot_show(cls, *, block=None):
        keep_open_figures()

    def show(self):
        keep(self)


class FigureCanvas(FigureCanvasAgg):
    manager_class = FigureManager


def take_pictures():
    keep_open_figures()
    taken = pictures[:]
    pictures.clear()
    return taken


def keep_open_figures():
    for manager in Gcf.get_all_fig_managers():
        keep(manager)


def keep(manager):
    """Draws a figure at twice its size, or at its size if that is too large a file, and closes it."""
    figure = manager.canvas.figure
    Gcf.destroy(manager)
    if len(pictures) >= MAX_PICTURES or not (figure.axes or figure.texts or figure.images or figure.subfigs):
        return
    for scale in (2, 1, 0.5):
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=figure.dpi * scale, bbox_inches="tight")
        if file.tell() <= MAX_BYTES:
            pictures.append(file.getvalue())
            return
