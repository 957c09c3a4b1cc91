"""Studies: one scene, many trials."""
import os
import tempfile

import numpy as np

from . import _core
from ._arguments import items, text, whole
from ._errors import InputError
from ._scene import make_portable_text, to_yaml
from ._simulation import Simulation


class Study:
    """Runs a scene with other values and measures each trial. See docs/studies.md.

    `vary` maps a name to (path, low, high), drawn `trials` times, or to (path, [values]). A path may be a
    parameter of the scene, "parameters.slope", unless the scene is a Scene or has files beside it; all other
    paths must then be written in the scene.
    `measures` maps a name to a quantity at the end, or to any measure of docs/studies.md as a dict; without it, the
    position of every moving body is measured: ball_x, ball_y, ball_z.

    >>> import tenpin
    >>> study = tenpin.Study(
    ...     {"bodies": [{"name": "b", "mass": 1, "shapes": [{"sphere": {"radius": 0.1}}]}], "until": 0.1},
    ...     vary={"speed": ("bodies.b.velocity", [[1, 0, 0], [2, 0, 0]])},
    ...     measures={"way": "bodies.b.position.x"})
    >>> study.run()["way"].round(6).tolist()
    [0.1, 0.2]
    """

    def __init__(self, scene, vary, measures=None, trials=1, seed=0, sampling="random"):
        self._vary = {}
        for name, what in items(vary, "vary"):
            if isinstance(what, str) or not hasattr(what, "__iter__"):
                raise InputError(f"vary[{name!r}]: got {what!r:.40}, want (path, low, high) or (path, values)")
            what = tuple(what)
            if len(what) == 3:
                self._vary[name] = {"path": what[0], "from": what[1], "to": what[2]}
            elif len(what) == 2:
                if isinstance(what[1], str) or not hasattr(what[1], "__iter__"):
                    raise InputError(f"vary[{name!r}]: got {what[1]!r:.40}, want a list of values")
                self._vary[name] = {"path": what[0], "values": list(what[1])}
            else:
                raise InputError(f"vary[{name!r}]: got {len(what)} items, want (path, low, high) or (path, values)")
        with_parameters = any(str(what["path"]).startswith("parameters.") for what in self._vary.values())
        self._text = make_portable_text(scene, with_parameters)
        if measures is None:
            moving = [name for name, kind in Simulation(self._text).joint_kinds.items() if kind != "fixed"]
            measures = {f"{body}_{axis}": f"bodies.{body}.position.{axis}" for body in moving for axis in "xyz"}
        self._measures = {n: m if isinstance(m, dict) else {"final": m} for n, m in items(measures, "measures")}
        self._rest = {"trials": whole(trials, "trials"), "seed": whole(seed, "seed"), "sampling": text(sampling, "sampling")}

    def __repr__(self):
        return f"<tenpin.Study of {', '.join(self._vary)}: {', '.join(self._measures)}>"

    def run(self, threads=1, trials=0):
        """Runs all trials, or the first `trials`, and returns a structured array with one row each.

        The bits do not depend on the number of threads.

        >>> study.run(threads=2, trials=1)["speed"].shape[0], study.run().dtype.names
        (1, ('trial', 'speed', 'way', 'status'))
        """
        with tempfile.TemporaryDirectory(prefix="tenpin-") as folder:
            with open(os.path.join(folder, "scene.yaml"), "w", encoding="utf-8") as out:
                out.write(self._text)
            file = os.path.join(folder, "study.yaml")
            study = {"tenpin_study": 1, "scene": "scene.yaml", **self._rest, "vary": self._vary, "measures": self._measures}
            with open(file, "w", encoding="utf-8") as out:
                out.write(to_yaml(study, "study") + "\n")
            columns, rows = _core.run_study(file, whole(threads, "threads", 1, 1024), whole(trials, "trials", 0, 10 ** 9))
        kinds = []
        for k, name in enumerate(columns):
            numbers = all(isinstance(cells[k], (int, float)) or cells[k] is None for _, cells, _ in rows)
            kinds.append((name, "f8" if numbers else "U64"))
        table = np.zeros(len(rows), dtype=[("trial", "i8"), *kinds, ("status", "U32")])
        for i, (trial, cells, status) in enumerate(rows):
            table[i] = (trial, *(np.nan if c is None else c for c in cells), status)
        return table
