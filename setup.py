"""The compiled scanner is optional: where it cannot be built, the install succeeds and the NumPy twin serves."""

from setuptools import Extension, setup

setup(ext_modules=[Extension("gaincurve._scan", ["src/gaincurve/_scan.pyx"], optional=True)])
