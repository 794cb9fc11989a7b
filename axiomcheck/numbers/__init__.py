"""Number types on which the same definition of a metric runs: floats, rationals, certified balls, series in eps."""

from axiomcheck.numbers import series_numpy
from axiomcheck.numbers.series import Series

Series.numpy = series_numpy
