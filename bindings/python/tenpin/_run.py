"""Whole runs: simulate, read, compare."""
import html
import os
import shutil
import sys
import tempfile
import weakref

import numpy as np

from . import _core
from ._arguments import items, path, text, whole
from ._errors import InputError
from ._scene import make_scene


class _ByBody:
    """Arrays (frames, bodies, n), indexed by the body's name or number."""

    def __init__(self, array, names):
        self.array = array
        self._index = {name: k for k, name in enumerate(names)}

    def __getitem__(self, body):
        if isinstance(body, str):
            if body not in self._index:
                raise KeyError(f"no body {body!r}; there are {', '.join(list(self._index)[:8])}")
            return self.array[:, self._index[body]]
        return self.array[:, body]


class Run:
    """A run: motion of all bodies, steps with certificates and energies, contacts.

    `position`, `orientation` (w x y z), `velocity` and `angular_velocity` are indexed by body name and
    give (frames, 3 or 4). `steps` and `contacts` are structured arrays with the columns of the run file.

    >>> import tenpin
    >>> run = tenpin.simulate({"until": 0.1, "bodies": [
    ...     {"name": "ball", "mass": 1, "velocity": [2, 0, 0], "shapes": [{"sphere": {"radius": 0.1}}]}]})
    >>> run.position["ball"][-1, 0].round(6), run.steps["t"][-1].round(6)
    (0.2, 0.1)
    """

    def __init__(self, file, summary=None, temporary=None):
        self._file = path(file)
        if temporary is not None:  # a folder that is removed with this object
            weakref.finalize(self, shutil.rmtree, temporary, ignore_errors=True)
        parts = _core.read_run(self._file)
        names = parts["bodies"]
        self.bodies = names
        self.t = parts["t"]
        self.q, self.v = parts["q"], parts["v"]
        self.position = _ByBody(parts["position"], names)
        self.orientation = _ByBody(parts["orientation"], names)
        self.velocity = _ByBody(parts["velocity"], names)
        self.angular_velocity = _ByBody(parts["angular_velocity"], names)
        self.steps = parts["steps"]
        self.contacts = parts["contacts"]
        self.name, self.method, self.scene = parts["name"], parts["method"], parts["scene"]
        self.status, self.message = parts["status"], parts["message"]
        self.summary = summary or {}
        self.state_hash = self.summary.get("state_hash")

    @property
    def ledger(self):
        """Energies and works of every step, in J, as a structured array.

        >>> run.ledger["kinetic"].shape == run.steps.shape
        True
        """
        columns = ["t", "kinetic", "potential", "closure"] + [c for c in self.steps.dtype.names if c.startswith("work_")]
        return self.steps[columns]

    @property
    def certificate(self):
        """The worst certificate values of all steps.

        >>> run.certificate["passed"]
        True
        """
        if len(self.steps) == 0:
            return {"passed": True, "residual": 0.0, "penetration": 0.0}
        columns = ("residual", "penetration", "cone_violation", "dissipation_gap")
        worst = {name: float(self.steps[name].max()) for name in columns}
        return {"passed": bool(self.steps["passed"].all()), **worst}

    def save(self, file):
        """Copies the run file (HDF5).

        >>> import os, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> run.save(os.path.join(folder.name, "run.h5"))
        >>> tenpin.read(os.path.join(folder.name, "run.h5")).bodies
        ['ball']
        """
        shutil.copyfile(self._file, path(file))

    def html(self, file=None):
        """The interactive page: written to `file`, or returned as text.

        >>> run.html()[:15]
        '<!doctype html>'
        """
        return _write(_core.make_page(self._file), file)

    def _repr_html_(self):
        page = html.escape(self.html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 480px; border: 0"></iframe>'

    def to_pandas(self):
        """The table of steps as a DataFrame; needs pandas.

        >>> run.to_pandas()["t"].iloc[-1].round(6)      # doctest: +PANDAS
        0.1
        """
        import pandas
        return pandas.DataFrame({name: self.steps[name] for name in self.steps.dtype.names})

    def plot(self, what="energy"):
        """Draws "energy", "residual" or "penetration" over time; needs matplotlib.

        >>> run.plot("energy").get_xlabel()             # doctest: +MATPLOTLIB
        't / s'
        """
        import matplotlib.pyplot as pyplot
        what = text(what, "what")
        if what == "energy":
            for name in ("kinetic", "potential"):
                pyplot.plot(self.steps["t"], self.steps[name], label=name)
            pyplot.plot(self.steps["t"], self.steps["kinetic"] + self.steps["potential"], label="total")
            pyplot.legend()
        elif what in ("residual", "penetration"):
            pyplot.semilogy(self.steps["t"], np.maximum(self.steps[what], 1e-18))
        else:
            raise InputError(f"what: got {what!r}, want energy, residual or penetration")
        pyplot.xlabel("t / s")
        pyplot.ylabel(what)
        return pyplot.gca()

    def __repr__(self):
        return f"<tenpin.Run {self.name!r} by {self.method}: {len(self.t)} frames, {len(self.steps)} steps, {self.status}>"


def _write(page, file):
    if file is None:
        return page
    with open(path(file), "w", encoding="utf-8") as out:
        out.write(page)
    return None


def _changes(set, until):
    changes = dict(items({} if set is None else set, "set"))
    return changes if until is None else {**changes, "until": until}


def _show(t, until):
    print(f"\r{t:.3f} of {until:g} s", end="", file=sys.stderr, flush=True)


def simulate(scene, method=None, until=None, set=None, threads=1, progress=False, file=None):
    """Runs a scene as `tenpin run` does, with the same bits, and returns the Run.

    >>> import tenpin
    >>> run = tenpin.simulate({"bodies": [
    ...     {"name": "floor", "fixed": True, "shapes": [{"plane": {}}]},
    ...     {"name": "ball", "mass": 1, "position": [0, 0, 0.5], "shapes": [{"sphere": {"radius": 0.1}}]}]},
    ...     until=0.5)
    >>> run.position["ball"].shape
    (51, 3)
    >>> run.certificate["passed"]
    True
    """
    threads = whole(threads, "threads", 1, 1024)
    made = make_scene(scene, method, _changes(set, until))
    folder = None
    if file is None:
        folder = tempfile.mkdtemp(prefix="tenpin-")
        file = os.path.join(folder, "run.h5")
    file = path(file)
    if not isinstance(progress, bool) and not callable(progress):
        raise InputError(f"progress: got {progress!r:.40}, want True, False or a function")
    on_progress = progress if callable(progress) else (_show if progress else None)
    try:
        summary = _core.simulate(made, file, threads, on_progress)
        if progress is True:
            print(f"\r{summary['time']:.3f} s, {summary['status']}", file=sys.stderr)
        return Run(file, summary, folder)
    except BaseException:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def read(file):
    """Reads a run file that `simulate` or the program has written. Its `summary` is empty and its `state_hash` None.

    >>> import os, tempfile, tenpin
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = os.path.join(folder.name, "run.h5")
    >>> scene = {"until": 0.1, "bodies": [{"name": "ball", "mass": 1, "shapes": [{"sphere": {"radius": 0.1}}]}]}
    >>> run = tenpin.simulate(scene, file=file)
    >>> bool((tenpin.read(file).q == run.q).all())
    True
    """
    return Run(file)


class Comparison:
    """The same scene under several methods: `rows` has one dict per method.

    >>> import tenpin
    >>> table = tenpin.compare({"until": 0.1, "bodies": [
    ...     {"name": "ball", "mass": 1, "shapes": [{"sphere": {"radius": 0.1}}]}]}, ["time-stepping", "impulse"])
    >>> [row["label"] for row in table.rows]
    ['time-stepping', 'impulse']
    """

    def __init__(self, rows, tolerance, page):
        self.rows, self.tolerance, self._page = rows, tolerance, page

    def html(self, file=None):
        """The page with all runs side by side: written to `file`, or returned as text.

        >>> table.html()[:15]
        '<!doctype html>'
        """
        return _write(self._page, file)

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self._page, quote=True)}" style="width: 100%; height: 480px; border: 0"></iframe>'

    def __repr__(self):
        lines = [f"{'method':<24} {'steps':>8} {'residual':>10} {'distance/m':>11}  parts"]
        for row in self.rows:
            if row["refused"]:
                lines.append(f"{row['label']:<24} refused: {row['message']}")
                continue
            s = row["summary"]
            parts = "-" if row["parts_at"] is None else f"{row['parts_at']:.3f} s"
            lines.append(f"{row['label']:<24} {s['steps']:>8} {s['certificate']['residual']:>10.1e} "
                         f"{row['distance']:>11.3g}  {parts}")
        return "\n".join(lines)


def compare(scene, methods, until=None, set=None, threads=1):
    """Runs a scene with several methods and reports where and when they diverge.

    >>> import tenpin
    >>> table = tenpin.compare({"until": 0.2, "bodies": [
    ...     {"name": "ball", "mass": 1, "shapes": [{"sphere": {"radius": 0.1}}]}]}, ["time-stepping", "impulse"])
    >>> table
    method                      steps   residual  distance/m  parts
    time-stepping ...
    impulse ...
    """
    changes = _changes(set, until)
    threads = whole(threads, "threads", 1, 1024)
    if isinstance(methods, str) or not hasattr(methods, "__iter__"):
        raise InputError(f"methods: got {methods!r:.40}, want a list of methods")
    made = [(str(m), make_scene(scene, m, changes)) for m in methods]
    if not made:
        raise InputError("methods: got none, want at least one")
    with tempfile.TemporaryDirectory(prefix="tenpin-") as folder:
        result = _core.compare(made, folder, threads, True)
    return Comparison(result["rows"], result["tolerance"], result["page"])
