"""The recursion that Ashkan and Clarke print for expectations of ERR, which is none: a function with several maxima."""

import numpy as np

from axiomcheck.core.typing import Array


def published(count: int, p: Array) -> tuple[Array, Array]:
    """Return T^n_R of their equation 8 at alpha = 1/2, and its derivatives (n, 1).

    T^i_r = p_i (T^{i-1}_{r-1} + gain_i (1 - alpha)^{r-1}) + (1 - p_i) T^{i-1}_r for 1 <= r <= i, else 0.

    Args:
        count: R.
        p: (n, 1)

    """

    def value(p: Array) -> Array:
        table = np.zeros(len(p) + 1, dtype=p.dtype)
        for i, one in enumerate(p[:, 0], 1):
            kept = 0.5 / i * 0.5 ** np.arange(i)
            table[1 : i + 1] = one * (table[:i] + kept) + (1 - one) * table[1 : i + 1]
        return table[count]

    steps = 1e-30j * np.eye(len(p))  # an imaginary step has no difference that rounding spoils
    return value(p), np.array([[value(p + step[:, None]).imag / 1e-30] for step in steps])
