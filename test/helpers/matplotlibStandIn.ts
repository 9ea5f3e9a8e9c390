/**
 * The parts of Matplotlib 3.10 that a backend meets, by its names. A picture is a PNG's first bytes, with its size and ground as text. @see
 * https://matplotlib.org/stable/users/explain/figure/writing_a_backend_pyplot_interface.html
 */
export const matplotlibFiles: Readonly<Record<string, string>> = {
	"matplotlib/__init__.py": `
import os
rcParams = {"figure.facecolor": "white", "savefig.dpi": "figure", "backend": os.environ["MPLBACKEND"]}
with open(os.path.join(os.environ["MPLCONFIGDIR"], "matplotlibrc")) as file:
    for line in file:
        name, value = line.split("#")[0].split(":")
        rcParams[name.strip()] = value.strip()
def use(backend): rcParams["backend"] = backend
`,
	"matplotlib/_pylab_helpers.py": `
class Gcf:
    figs = {}
    @classmethod
    def get_all_fig_managers(cls): return list(cls.figs.values())
    @classmethod
    def destroy(cls, num):
        manager = cls.figs.pop(num.num if hasattr(num, "destroy") else num)
        manager.destroy()
`,
	"matplotlib/backend_bases.py": `
class FigureManagerBase:
    def __init__(self, canvas, num):
        self.canvas, self.num = canvas, num
        canvas.manager = self
    @classmethod
    def create_with_canvas(cls, canvas_class, figure, num): return cls(canvas_class(figure), num)
    @classmethod
    def pyplot_show(cls, *, block=None): print("FigureCanvasAgg is non-interactive, and thus cannot be shown")
    def show(self): raise Exception("not interactive")
    def destroy(self): pass
`,
	"matplotlib/backends/__init__.py": "",
	"matplotlib/backends/backend_agg.py": `
from matplotlib.backend_bases import FigureManagerBase
class FigureCanvasAgg:
    manager_class = FigureManagerBase
    def __init__(self, figure):
        self.figure = figure
        figure.canvas = self
    @classmethod
    def new_manager(cls, figure, num): return cls.manager_class.create_with_canvas(cls, figure, num)
FigureCanvas = FigureCanvasAgg
`,
	"matplotlib/figure.py": `
from matplotlib import rcParams
class Figure:
    dpi = 100
    def __init__(self):
        self.axes, self.texts, self.images, self.subfigs = [], [], [], []
        self.ground = rcParams["figure.facecolor"]
    def show(self): self.canvas.manager.show()
    def savefig(self, target, *, format=None, dpi=None, bbox_inches=None):
        dpi = dpi or rcParams["savefig.dpi"]
        dpi = self.dpi if dpi == "figure" else float(dpi)
        data = b"\\x89PNG\\r\\n\\x1a\\n" + f"{6.4 * dpi:g}x{4.8 * dpi:g} on {self.ground}".encode()
        if isinstance(target, str):
            target = open(target, "wb")
        target.write(data)
        target.flush()
`,
	"matplotlib/pyplot.py": `
import importlib
from matplotlib import rcParams
from matplotlib._pylab_helpers import Gcf
from matplotlib.figure import Figure
def canvas_class():
    name = rcParams["backend"]
    known = "matplotlib.backends.backend_" + name.lower()
    return importlib.import_module(name.removeprefix("module://") if "://" in name else known).FigureCanvas
def figure():
    num = max(Gcf.figs, default=0) + 1
    Gcf.figs[num] = canvas_class().new_manager(Figure(), num)
    return Gcf.figs[num].canvas.figure
def gcf(): return list(Gcf.figs.values())[-1].canvas.figure if Gcf.figs else figure()
def plot(values): gcf().axes.append(values)
def show(*args, **kwargs): canvas_class().manager_class.pyplot_show(*args, **kwargs)
def savefig(*args, **kwargs): gcf().savefig(*args, **kwargs)
def close(): Gcf.destroy(list(Gcf.figs.values())[-1])
`,
};
