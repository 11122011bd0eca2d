"""mercer in Python: runs experiments by the program in this package, and gives their numbers.

    run = mercer.run("my.yaml")     # or a dict
    run.table()                     # a pandas DataFrame, where pandas is installed

Functions become methods, kernels, landmark rules, measures and data sets of a run by the
decorators method, kernel, landmarks, measure and dataset: docs/python.md.
"""
from ._binary import Error, advise, command
from ._functions import dataset, kernel, landmarks, measure, method
from ._run import Report, Run, run


def __getattr__(name):
    if name != "serve":
        raise AttributeError(name)
    from ._program import serve  # needs numpy

    return serve
