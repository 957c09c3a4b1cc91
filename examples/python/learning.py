"""Finds gains that balance a pole by trial and error: the cross-entropy method in 32 environments at once."""
import pathlib
import sys

import numpy as np

import tenpin

SCENE = pathlib.Path(__file__).parent.parent / "scenes" / "cart-pole.yaml"
COUNT, BEST, ROUNDS = 32, 5, 7

envs = tenpin.gymnasium.make_vec(SCENE, COUNT, actuators=["cart"], limit=30, steps=4, max_steps=10 ** 6)
rng = np.random.default_rng(1)
mean, spread = np.zeros(4), np.array([20.0, 60.0, 20.0, 20.0])
for round_ in range(ROUNDS):
    gains = mean + spread * rng.standard_normal((COUNT, 4))
    x, _ = envs.reset(seed=round_)
    alive = np.ones(COUNT, bool)
    score = np.zeros(COUNT)
    for _ in range(75):  # 1.5 s
        x, _, ended, _, _ = envs.step((gains * x).sum(axis=1, keepdims=True))
        alive &= ~ended & (np.abs(x[:, 1]) < 0.6) & (np.abs(x[:, 0]) < 1.9)
        score += alive * (1 - x[:, 1] ** 2 - 0.05 * x[:, 0] ** 2)
    best = np.argsort(-score)[:BEST]
    mean, spread = gains[best].mean(axis=0), gains[best].std(axis=0) + 0.5
print(f"gains {np.round(mean, 1)} keep the pole up with a score of {score.max():.1f} of 75")
sys.exit(not score.max() > 70)
