"""Decorators of functions that stand in a spec where it names what mercer has itself."""
import functools
import hashlib
import inspect
import types

# The program that mercer starts passes its streams to the process that has the function. These words
# are in the row key: they depend on no machine and no process.
RELAY = 'exec "${MERCER_PYTHON:?is unset: only mercer.run in Python has this function}" -IS "$MERCER_RELAY" "$0"'


class Function:
    """A function that mercer calls, with keys of a spec. Python calls it as before."""

    def __new__(cls, function=None, **keys):
        return object.__new__(cls) if function else functools.partial(cls, **keys)

    def __init__(self, function, **keys):
        functools.update_wrapper(self, function)
        self.keys = keys

    def __call__(self, *arguments, **keywords):
        return self.__wrapped__(*arguments, **keywords)

    def entry(self, functions):
        """What stands in the spec. The function is put among functions, by its name there."""
        code = hashlib.sha256("\n".join(_parts(self.__wrapped__, set())).encode()).hexdigest()[:16]
        name = self.__name__ + " " + code
        functions[name] = self
        program = {"command": ["sh", "-c", RELAY, name], **self.keys}
        return {"exec": program} if isinstance(self, landmarks) else {"id": self.__name__, "use": "exec", **program}


class method(Function):
    """@method(model="subspace"): the function gets a problem and returns the arrays of an answer."""

    call = "fit"


class kernel(Function):
    """@kernel: the function gets points a (p x dim) and b (q x dim) and returns the p x q values k(a_i, b_j)."""

    call = "kernel"


class landmarks(Function):
    """@landmarks: the function gets a problem and returns at most p.m different rows of p.X, from 0."""

    call = "landmarks"


class measure(Function):
    """@measure(outputs={"error": "less"}): the function gets p.sample and p.held_out and returns numbers by name."""

    call = "measure"


class dataset(Function):
    """@dataset(dim=2, draws=500): the function returns p.n points (n x dim), or a dict with points and labels."""

    call = "data"


def plain(value, functions):
    """A spec without Functions and arrays. The Functions are put among functions."""
    if isinstance(value, Function):
        return value.entry(functions)
    if isinstance(value, dict):
        parts = {key: plain(part, functions) for key, part in value.items()}
        return {**parts.pop("use"), **parts} if isinstance(value.get("use"), Function) else parts
    if isinstance(value, (list, tuple)):
        return [plain(part, functions) for part in value]
    return value.tolist() if hasattr(value, "tolist") else value


def _parts(function, seen):
    """What a function computes by: its code, the numbers and texts that it takes from around it, and
    the functions of its module that it calls."""
    seen.add(function)
    around = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
    values = [function.__code__, function.__defaults__, function.__kwdefaults__]
    for value in values:  # which grow
        value = inspect.unwrap(value)
        if isinstance(value, types.CodeType):
            yield value.co_code.hex() + repr(value.co_names)
            values += value.co_consts + tuple(around.get(name) for name in value.co_names + value.co_freevars)
        elif isinstance(value, types.FunctionType):
            if value.__module__ == function.__module__ and value not in seen:
                yield from _parts(value, seen)
        elif isinstance(value, frozenset):
            yield repr(sorted(value, key=repr))
        elif isinstance(value, (int, float, str, bytes, tuple, list, dict)):
            yield repr(value)
