"""Number types on which the code of a metric can run: floats, rationals, certified balls, symbols and series in eps."""

from axiomcheck.numbers import series_numpy
from axiomcheck.numbers.series import Series

Series.numpy = series_numpy
