"""Sets up Matplotlib and collects the figures of a cell. Part of runner.py."""

import base64
import os
import sys

# Not in /tmp, which is for what programs write.
CONFIGURATION = "/etc/matplotlib"
# Matplotlib draws these in white or black. @see https://matplotlib.org/stable/users/explain/customizing.html
GROUNDS = ("figure.facecolor", "figure.edgecolor", "axes.facecolor")
TEXTS = (
    *("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"),
    *("lines.color", "patch.edgecolor", "hatch.color"),
    *(f"boxplot.{part}.color" for part in ("flierprops", "boxprops", "whiskerprops", "capprops")),
    "boxplot.flierprops.markeredgecolor",
)


def prepare_figures():
    """Chooses the backend, the size of saved figures, and the theme's colors. A program may choose others."""
    os.environ["MPLBACKEND"] = "module://cutaway_figures"
    os.environ["MPLCONFIGDIR"] = CONFIGURATION
    os.makedirs(CONFIGURATION, exist_ok=True)
    settings = {"savefig.dpi": "200"}
    if colors:
        # A number sign begins a comment in this file.
        ground, text = colors.replace("#", "").split(" ")
        settings |= dict.fromkeys(GROUNDS, ground) | dict.fromkeys(TEXTS, text)
    with open(f"{CONFIGURATION}/matplotlibrc", "w") as file:
        file.writelines(f"{name}: {value}\n" for name, value in settings.items())


def drawn_figures():
    """The figures that were shown, and those that are open, as PNG in base64."""
    backend = sys.modules.get("cutaway_figures")
    if backend is None and "matplotlib.pyplot" not in sys.modules:
        return []
    try:
        import cutaway_figures as backend

        return [base64.b64encode(picture).decode() for picture in backend.take_pictures()]
    except Exception as error:
        print(f"The figures could not be drawn: {error}", file=sys.stderr)
        return []
