"""Environments for learning: scenes with the interface of Gymnasium."""
import numpy as np

from ._arguments import array, function, number, whole
from ._batch import Batch
from ._errors import InputError
from ._scene import load, make_scene

try:
    import gymnasium
    import gymnasium.vector
    from gymnasium.spaces import Box
    _Base, _VectorBase = gymnasium.Env, gymnasium.vector.VectorEnv
    _autoreset = getattr(gymnasium.vector, "AutoresetMode", None)
except ImportError:  # the same interface without the package
    gymnasium = _autoreset = None
    _Base = _VectorBase = object

    class Box:
        """Vectors between `low` and `high`, like gymnasium.spaces.Box.

        >>> import numpy as np, tenpin
        >>> box = tenpin.gymnasium.Box(-1, 1, shape=(3,))
        >>> box.low.tolist(), box.high.tolist()
        ([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0])
        """

        def __init__(self, low, high, shape=None, dtype=np.float64):
            self.dtype = np.dtype(dtype)
            self.low = np.broadcast_to(np.asarray(low, self.dtype), shape or np.shape(low)).copy()
            self.high = np.broadcast_to(np.asarray(high, self.dtype), self.low.shape).copy()
            self.shape = self.low.shape
            self._rng = np.random.default_rng()

        def seed(self, seed=None):
            """Seeds the random numbers: the same seed gives the same samples.

            >>> box.seed(1)
            """
            self._rng = np.random.default_rng(seed)

        def sample(self):
            """A random vector.

            >>> box.contains(box.sample())
            True
            """
            low, high = np.maximum(self.low, -1e6), np.minimum(self.high, 1e6)
            return self._rng.uniform(low, high).astype(self.dtype)

        def contains(self, x):
            """True if x is a vector of this space.

            >>> box.contains([0, 0, 2])
            False
            """
            x = np.asarray(x)
            return x.shape == self.shape and bool(np.all(x >= self.low) and np.all(x <= self.high))

        def __repr__(self):
            return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


def _observe(sim):
    return np.concatenate([sim.q, sim.v])


def _alive(sim, action):
    return 1.0


def _never(sim):
    return False


def _ones(q, v, actions):
    return np.ones(len(q))


def _none(q, v):
    return np.zeros(len(q), bool)


def _slices(sim, actuators):
    """The indices of the velocities on which actions act."""
    if isinstance(actuators, str) or not (actuators is None or hasattr(actuators, "__iter__")):
        raise InputError(f"actuators: got {actuators!r:.40}, want a list of joints")
    if actuators is None:
        actuators = [name for name, kind in sim.joint_kinds.items() if kind in ("hinge", "slider")]
    picked = []
    for name in actuators:
        part = sim._v_slices.get(name) if isinstance(name, str) else None
        if part is None or part.stop == part.start:
            raise InputError(f"actuators: got {name!r}, want joints that move: {', '.join(list(sim._v_slices)[:8])}")
        picked.extend(range(part.start, part.stop))
    if not picked:
        raise InputError("actuators: got none, want at least one joint")
    return np.array(picked)


def _limits(limit, picked):
    limit = array(limit, "limit")
    if limit.shape not in ((), picked.shape):
        raise InputError(f"limit: got shape {limit.shape}, want one number or {len(picked)}")
    if not (np.isfinite(limit).all() and (limit > 0).all()):
        raise InputError("limit: want numbers > 0")
    return np.broadcast_to(limit, picked.shape)


class Env(_Base):
    """One scene as an environment: actions are forces in joints, observations are (q, v) by default.

    `actuators`: joints on which actions act, all hinges and sliders by default; `limit`: the largest force,
    one number or one per action. `observe(sim)` returns the observation, `reward(sim, action)` the reward,
    `terminated(sim)` the end, `start(sim, rng)` changes the state after a reset. An action holds for
    `interval` seconds; an episode is cut off after `max_steps` actions. A step that fails ends the
    episode, and info["status"] says why.

    >>> import tenpin
    >>> scene = {"bodies": [{"name": "bob", "mass": 1, "position": [0, 0, -1], "inertia": [0.1, 0.1, 0.1],
    ...                      "joint": {"hinge": {"axis": [0, 1, 0], "anchor": [0, 0, 1]}}}]}
    >>> env = tenpin.gymnasium.make(scene, limit=2, reward=lambda sim, action: -abs(sim.q["bob"] - 0.2))
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step([1.0])
    >>> observation.shape, bool(reward < 0), terminated, truncated, info["certified"]
    ((2,), True, False, False, True)
    """

    metadata = {"render_modes": ["html"]}

    def __init__(self, scene, actuators=None, limit=1.0, observe=_observe, reward=_alive, terminated=_never, start=None,
                 interval=0.02, max_steps=500, method=None, set=None, threads=1, render_mode=None):
        interval = number(interval, "interval")
        if not 0.0 < interval < np.inf:
            raise InputError(f"interval: got {interval}, want a number > 0")
        self.sim = load(scene, method=method, set=set, threads=threads)
        self.render_mode = render_mode
        self._picked = _slices(self.sim, actuators)
        limit = _limits(limit, self._picked)
        self.action_space = Box(-limit, limit, dtype=np.float64)
        self._observe, self._reward = function(observe, "observe"), function(reward, "reward")
        self._terminated = function(terminated, "terminated")
        self._start = None if start is None else function(start, "start")
        self._interval, self._max_steps = interval, whole(max_steps, "max_steps", 1, 10 ** 9)
        self._rng = np.random.default_rng()
        self._count = 0
        shape = np.shape(self._observe(self.sim))
        self.observation_space = Box(np.full(shape, -np.inf), np.full(shape, np.inf), dtype=np.float64)

    def reset(self, *, seed=None, options=None):
        """Resets to time 0 and returns (observation, info).

        >>> observation, info = env.reset(seed=1)
        >>> info["time"]
        0.0
        """
        if gymnasium is not None:
            super().reset(seed=seed)
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.sim.reset()
        self._count = 0
        if self._start is not None:
            self._start(self.sim, self._rng)
        return np.array(self._observe(self.sim), float), self._info(self.sim.report)

    def step(self, action):
        """Returns (observation, reward, terminated, truncated, info) after `interval` seconds of that action.

        >>> observation, reward, terminated, truncated, info = env.step([0.5])
        >>> round(info["time"], 6)
        0.04
        """
        action = array(action, "action")
        if action.shape != self._picked.shape:
            raise InputError(f"action: got shape {action.shape}, want {self._picked.shape}")
        if not np.isfinite(action).all():
            raise InputError("action: got a number that is not finite")
        action = np.clip(action, self.action_space.low, self.action_space.high)
        self.sim.force[self._picked] = action
        self._count += 1
        report = self.sim.advance_to(self.sim.time + self._interval)
        terminated = not report.ok or bool(self._terminated(self.sim))
        reward = float(self._reward(self.sim, action))
        truncated = self._count >= self._max_steps
        return np.array(self._observe(self.sim), float), reward, terminated, truncated, self._info(report)

    def render(self):
        """Returns a line about the state; `tenpin.simulate(...)` makes pages.

        >>> print(env.render())
        <tenpin.Simulation ...>
        """
        return repr(self.sim)

    def close(self):
        """There is nothing to close.

        >>> env.close()
        """

    def _info(self, report):
        return {"time": self.sim.time, "status": report.status, "certified": report.certified, "residual": report.residual}

    def __repr__(self):
        return f"<tenpin.gymnasium.Env {self.sim.scene.name!r}: {len(self._picked)} actions>"


class VectorEnv(_VectorBase):
    """Many environments of one scene, stepped together on all cores; arrays have one row each.

    `reward(q, v, actions)` and `terminated(q, v)` take and return arrays. Rows that end are reset at once, and
    their last observation is in info["final_obs"] (and, by its older name, info["final_observation"]).

    >>> import numpy as np, tenpin
    >>> scene = {"bodies": [{"name": "bob", "mass": 1, "position": [0, 0, -1], "inertia": [0.1, 0.1, 0.1],
    ...                      "joint": {"hinge": {"axis": [0, 1, 0], "anchor": [0, 0, 1]}}}]}
    >>> envs = tenpin.gymnasium.make_vec(scene, 4, limit=2)
    >>> observations, info = envs.reset(seed=1)
    >>> observations, rewards, terminated, truncated, info = envs.step(np.ones((4, 1)))
    >>> observations.shape, rewards.shape
    ((4, 2), (4,))
    """

    metadata = {"render_modes": [], "autoreset_mode": _autoreset.SAME_STEP if _autoreset else "SameStep"}

    def __init__(self, scene, num_envs, actuators=None, limit=1.0, reward=None, terminated=None, spread=0.0, steps=1,
                 max_steps=500, threads=0, method=None, set=None):
        num_envs = whole(num_envs, "num_envs", 1, 10 ** 6)
        made = make_scene(scene, method, set)
        one = load(made)
        self._picked = _slices(one, actuators)
        self._batch = Batch(made, num_envs, threads)
        self.num_envs = num_envs
        self._limit = _limits(limit, self._picked)
        size = one.q.size + one.v.size
        low = np.full(size, -np.inf)
        self.single_action_space = Box(-self._limit, self._limit, dtype=np.float64)
        self.single_observation_space = Box(low, -low, dtype=np.float64)
        rows = (num_envs, 1)
        self.action_space = Box(np.tile(-self._limit, rows), np.tile(self._limit, rows), dtype=np.float64)
        self.observation_space = Box(np.tile(low, rows), np.tile(-low, rows), dtype=np.float64)
        self._reward = _ones if reward is None else function(reward, "reward")
        self._terminated = _none if terminated is None else function(terminated, "terminated")
        self._spread, self._steps = number(spread, "spread"), whole(steps, "steps", 1, 10 ** 9)
        self._max_steps = whole(max_steps, "max_steps", 1, 10 ** 9)
        self._rng = np.random.default_rng()
        self._counts = np.zeros(num_envs, int)

    def _observations(self):
        return np.hstack([self._batch.q, self._batch.v])

    def _restart(self, mask):
        self._batch.reset(mask)
        self._counts[mask] = 0
        if self._spread > 0:
            for k in np.flatnonzero(mask):
                v = self._batch.v[k] + self._spread * self._rng.standard_normal(self._batch.v.shape[1])
                self._batch.set_state(int(k), self._batch.q[k], v)

    def reset(self, *, seed=None, options=None):
        """Resets all environments to time 0 and returns (observations, info).

        >>> observations, info = envs.reset(seed=1)
        >>> observations.shape
        (4, 2)
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._restart(np.ones(self.num_envs, bool))
        return self._observations(), {}

    def step(self, actions):
        """Returns (observations, rewards, terminated, truncated, info) after `steps` steps with these actions.

        >>> observations, rewards, terminated, truncated, info = envs.step(np.zeros((4, 1)))
        >>> terminated.any() or truncated.any()
        False
        """
        actions = array(actions, "actions")
        if actions.shape != (self.num_envs, len(self._picked)):
            raise InputError(f"actions: got shape {actions.shape}, want {(self.num_envs, len(self._picked))}")
        if not np.isfinite(actions).all():
            raise InputError("actions: got a number that is not finite")
        actions = np.clip(actions, -self._limit, self._limit)
        self._batch.force[:, self._picked] = actions
        self._batch.step(self._steps)
        self._counts += 1
        q, v = self._batch.q, self._batch.v
        rewards = np.asarray(self._reward(q, v, actions), float)
        terminated = ~self._batch.ok | np.asarray(self._terminated(q, v), bool)
        truncated = self._counts >= self._max_steps
        info = {}
        ended = terminated | truncated
        if ended.any():
            info["final_obs"] = info["final_observation"] = self._observations()
            self._restart(ended)
        return self._observations(), rewards, terminated, truncated, info

    def close(self):
        """There is nothing to close.

        >>> envs.close()
        """
