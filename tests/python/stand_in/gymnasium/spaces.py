import numpy as np


class Box:
    def __init__(self, low, high, shape=None, dtype=np.float32, seed=None):
        low, high = np.asarray(low, dtype), np.asarray(high, dtype)
        self.shape = low.shape if shape is None else tuple(shape)
        assert low.shape == high.shape == self.shape or low.shape == high.shape == ()
        assert not np.isnan(low).any() and not np.isnan(high).any()
        self.low, self.high = np.broadcast_to(low, self.shape), np.broadcast_to(high, self.shape)
        self.dtype = np.dtype(dtype)
        self._rng = np.random.default_rng(seed)

    def sample(self):
        return self._rng.uniform(np.maximum(self.low, -1e3), np.minimum(self.high, 1e3)).astype(self.dtype)

    def contains(self, x):
        return bool(np.can_cast(x.dtype, self.dtype) and x.shape == self.shape and
                    np.all(x >= self.low) and np.all(x <= self.high))
