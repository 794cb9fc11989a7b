"""Number types for a metric's single definition: floats, rationals, certified balls, series in eps."""

from axiomcheck.numbers import series_numpy
from axiomcheck.numbers.series import Series

Series.numpy = series_numpy
