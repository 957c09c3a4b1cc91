"""Scenes as environments with the interface of Gymnasium. The package gymnasium is not needed; if it is
installed, environments derive from its classes, and gymnasium.make("tenpin/Scene-v0", scene=...) makes them, too."""
from ._environment import Box, Env, VectorEnv, gymnasium as _gymnasium


def make(scene, **settings):
    """Makes an Env of a scene; see Env for the settings.

    >>> import tenpin
    >>> env = tenpin.gymnasium.make({"bodies": [{"name": "cart", "mass": 1, "inertia": [1, 1, 1],
    ...                                          "joint": {"slider": {"axis": [1, 0, 0]}}}]}, limit=5)
    >>> env.action_space.high.tolist()
    [5.0]
    """
    return Env(scene, **settings)


def make_vec(scene, num_envs, **settings):
    """Makes a VectorEnv of a scene; see VectorEnv for the settings.

    >>> import tenpin
    >>> envs = tenpin.gymnasium.make_vec({"bodies": [{"name": "cart", "mass": 1, "inertia": [1, 1, 1],
    ...                                               "joint": {"slider": {"axis": [1, 0, 0]}}}]}, 8)
    >>> envs.num_envs, envs.action_space.shape
    (8, (8, 1))
    """
    return VectorEnv(scene, num_envs, **settings)


if _gymnasium is not None and "tenpin/Scene-v0" not in _gymnasium.envs.registration.registry:
    _gymnasium.register(id="tenpin/Scene-v0", entry_point="tenpin.gymnasium:Env", vector_entry_point="tenpin.gymnasium:VectorEnv")

__all__ = ["Box", "Env", "VectorEnv", "make", "make_vec"]
