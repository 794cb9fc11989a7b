"""Provide the number types on which metric code can run: floats, rationals, certified balls and series in eps."""

from axiomcheck.numbers import series_numpy
from axiomcheck.numbers.series import Series

Series.numpy = series_numpy
