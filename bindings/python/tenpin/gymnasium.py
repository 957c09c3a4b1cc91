"""Scenes as environments with the interface of Gymnasium. The package gymnasium is not needed; where it is
installed, environments are its own, and gymnasium.make("tenpin/Scene-v0", scene=...) makes them, too."""
from ._environment import Box, Env, VectorEnv, gymnasium as _gymnasium


def make(scene, **settings):
    """An Env of a scene; see Env for the settings."""
    return Env(scene, **settings)


def make_vec(scene, num_envs, **settings):
    """A VectorEnv of a scene; see VectorEnv for the settings."""
    return VectorEnv(scene, num_envs, **settings)


if _gymnasium is not None and "tenpin/Scene-v0" not in _gymnasium.envs.registration.registry:
    _gymnasium.register(id="tenpin/Scene-v0", entry_point="tenpin.gymnasium:Env", vector_entry_point="tenpin.gymnasium:VectorEnv")

__all__ = ["Box", "Env", "VectorEnv", "make", "make_vec"]
