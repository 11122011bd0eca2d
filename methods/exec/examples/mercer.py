"""Python functions as methods, kernels, landmarks, measures and data of mercer: protocol 2 of
docs/exec.md.

    from mercer import serve

    def fit(problem):
        ...
        return {"indices": ..., "coef": ..., "values": ...}

    serve(fit)

Others are named, as in serve(kernel=k, landmarks=f), and one file may serve several. Put this
file beside your program. It needs Python 3.7 and numpy. What a function prints goes to standard
error. An exception fails the request in hand and no other.
"""
import contextlib
import json
import os
import random
import sys
import time
import traceback
import warnings

import numpy as np


class Kernel:
    """The kernel of a problem: kernel(a, b) is the matrix of k(a_i, b_j). Of one that is a
    program, that is the function of this program that serve has as kernel."""

    own = None

    def __init__(self, form):
        self.name = form["name"]
        self.form = form  # with the parameters of the kernel

    def __call__(self, a, b):
        a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        return getattr(self, "_" + self.name.replace("-", "_"))(a, b, **{k: v for k, v in self.form.items() if k not in ("name", "formula")})

    def _exec(self, a, b):
        if not Kernel.own:
            raise TypeError("the kernel is a program: give serve its function here too, as in serve(kernel=...), or take p.gram, by gram: true")
        return np.asarray(Kernel.own(a, b))

    def _gaussian(self, a, b, gamma):
        return np.exp(-gamma * _squares(a, b))

    def _laplace(self, a, b, sigma):
        return np.exp(-sum(np.abs(a[:, j, None] - b[None, :, j]) for j in range(a.shape[1])) / sigma)

    def _matern(self, a, b, nu, sigma):
        r = np.sqrt(2 * nu * _squares(a, b)) / sigma
        return {0.5: 1, 1.5: 1 + r, 2.5: 1 + r + r * r / 3}[nu] * np.exp(-r)

    def _cauchy(self, a, b, sigma):
        product = np.ones((len(a), len(b)))
        for j in range(a.shape[1]):
            product /= 1 + ((a[:, j, None] - b[None, :, j]) / sigma) ** 2
        return product

    def _rational_quadratic(self, a, b, alpha, sigma):
        return (1 + _squares(a, b) / (2 * alpha * sigma ** 2)) ** -alpha

    def _chi2(self, a, b, gamma):
        total = np.zeros((len(a), len(b)))
        for j in range(a.shape[1]):
            d, s = a[:, j, None] - b[None, :, j], a[:, j, None] + b[None, :, j]
            total += d * d / np.where(s == 0, 1, s)
        return np.exp(-gamma * total)

    def _intersection(self, a, b):
        return sum(np.minimum(a[:, j, None], b[None, :, j]) for j in range(a.shape[1]))

    def _arc_cosine(self, a, b, order, depth):
        lengths = [np.maximum(np.linalg.norm(p, axis=1, keepdims=True), 1e-300) for p in (a, b)]
        u, v = a / lengths[0], b / lengths[1]
        angles = 2 * np.arctan2(np.sqrt(_squares(u, v)), np.sqrt(_squares(u, -v)))
        if order == 0:
            return 1 - angles / np.pi
        for _ in range(depth):
            cosines = (np.sin(angles) + (np.pi - angles) * np.cos(angles)) / np.pi
            angles = np.arccos(np.minimum(cosines, 1))
        return lengths[0] * lengths[1].T * cosines

    def _periodic(self, a, b, period, sigma):
        sines = sum(np.sin(np.pi * (a[:, j, None] - b[None, :, j]) / period) ** 2 for j in range(a.shape[1]))
        return np.exp(-2 * sines / sigma ** 2)

    def _cosine(self, a, b):
        return np.cos(np.pi * (1 - self._arc_cosine(a, b, 0, 1)))

    def _sum(self, a, b, of):
        return sum(Kernel(form)(a, b) for form in of)

    def _product(self, a, b, of):
        return np.prod([Kernel(form)(a, b) for form in of], axis=0)

    def _scale(self, a, b, factor, of):
        return factor * Kernel(of[0])(a, b)

    def _ntk(self, a, b, depth):
        angles, lengths = np.pi * (1 - self._arc_cosine(a, b, 0, 1)), [np.linalg.norm(p, axis=1) for p in (a, b)]
        value = np.cos(angles)
        for _ in range(depth):
            value = value * (1 - angles / np.pi)
            halves = np.sin(angles / 2) ** 2 - (np.sin(angles) - angles * np.cos(angles)) / (2 * np.pi)
            angles = 2 * np.arcsin(np.sqrt(np.maximum(halves, 0)))
            value = value + np.cos(angles)
        return np.outer(*lengths) * value

    def _power(self, a, b, exponent, of):
        return Kernel(of[0])(a, b) ** exponent

    def _normalise(self, a, b, of):
        norms = [np.sqrt([Kernel(of[0])(x[None], x[None])[0, 0] for x in p]) for p in (a, b)]
        return Kernel(of[0])(a, b) / np.where(np.outer(*norms) == 0, np.inf, np.outer(*norms))

    def _lengthscales(self, a, b, lengthscales, of):
        return Kernel(of[0])(a / np.array(lengthscales), b / np.array(lengthscales))

    def _linear(self, a, b):
        return a @ b.T

    def _polynomial(self, a, b, degree, gamma, offset):
        return (gamma * (a @ b.T) + offset) ** degree

    def _precomputed(self, a, b):  # of points of the sample, with gram: true
        return self.gram[np.ix_(*([self.rows[x] for x in p[:, 0]] for p in (a, b)))]

    def _series(self, a, b, power=None, rho=None, eigenvalues=None):
        if power in (2, 4):
            return _cosines(a - b.T, power) + _cosines(a + b.T, power)
        if rho is not None:
            eigenvalues = rho ** np.arange(1, 2 + int(np.log(1e-17) / np.log(rho)))
        elif power is not None:  # 6 or more: 600 terms leave 1e-14
            eigenvalues = np.arange(1, 601) ** -float(power)
        i = np.pi * np.arange(1, 1 + len(eigenvalues))
        return 2 * (np.cos(a * i) * eigenvalues) @ np.cos(b * i).T


def _cosines(t, power):
    """The sum of cos(pi i t) / i^power by the Bernoulli polynomial of that degree."""
    s = t / 2 % 1
    if power == 2:
        return np.pi ** 2 * (s * s - s + 1 / 6)
    return -np.pi ** 4 / 3 * (s ** 4 - 2 * s ** 3 + s * s - 1 / 30)


def _squares(a, b):
    """Squared distances, by differences where that is exact to the last digits."""
    squares = np.zeros((len(a), len(b)))
    for j in range(a.shape[1]):
        squares += (a[:, j, None] - b[None, :, j]) ** 2
    return squares


class Part:
    """Points of a measure, of the sample or held out: X (N x dim), and what a model answers
    there: coordinates (N x c), clusters, predictions; labels, responses and weights of the
    points. None for what there is not."""

    def __init__(self, arrays):
        for name in ("X", "coordinates", "predictions"):
            setattr(self, name, arrays.get(name))
        for name in ("clusters", "labels", "responses", "weights"):
            setattr(self, name, None if name not in arrays else arrays[name][:, 0].astype(int if name in ("clusters", "labels") else float))


class Problem:
    """What a fit is given: the points X (n x dim), the kernel, the sizes n, dim, m, d,
    ell and k (None where there is none), the seed, threads, model, for a regression the
    responses y (n, or n x q where there are q of them), and with gram: true the kernel matrix."""

    def __init__(self, request):
        self.m = self.d = self.ell = self.k = self.gram = self.y = self.model = None
        self.__dict__.update(request)
        if "x" in request:
            self.X = self._load(request["x"])
        for part in ("sample", "held_out"):
            there = [name for name in request.get("arrays", ()) if name.startswith(part)]
            setattr(self, part, Part({name[len(part) + 1:-4]: self._load(name) for name in there}) if there else None)
        if self.y:
            self.y = self._load(request["y"])
            if self.y.shape[1] == 1:
                self.y = self.y[:, 0]
        if self.gram:
            self.gram = self._load(request["gram"])
        self.kernel = Kernel(request["kernel"]) if request["kernel"] else None
        if self.kernel and self.kernel.name == "precomputed" and self.gram is not None:
            self.kernel.gram, self.kernel.rows = self.gram, {x: i for i, x in enumerate(self.X[:, 0])}
        self.rng = np.random.default_rng(self.seed)
        self.seconds = {}

    def _load(self, name):
        return np.load(os.path.join(self.dir, name))

    @contextlib.contextmanager
    def phase(self, name):
        """Times a block as a phase: gram, factor, embed or solve."""
        began = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0) + time.perf_counter() - began


def _seeded(function, of):
    random.seed(of.seed)  # for code that uses the global streams
    np.random.seed(of.seed)
    return function(of)


def _encode(result, directory):
    """Writes arrays to files of a directory and the rest as JSON."""
    answer = {}
    for key, value in result.items():
        if isinstance(value, (list, tuple)) and key != "warnings":
            value = np.asarray(value)
        if isinstance(value, np.ndarray):
            np.save(os.path.join(directory, key + ".npy"), value)
            value = key + ".npy"
        elif isinstance(value, np.generic):
            value = value.item()
        answer[key] = value
    return json.dumps(answer)


def answering(requests, answers, errors, turn=contextlib.nullcontext(), **serves):
    """Answers the requests of one stream on another until it ends, by functions as those of
    serve. turn is held while a request is answered; exceptions go to errors."""
    process, calls = os.getpid(), {}

    def answer(request):
        nonlocal calls
        call, load = request.get("call", "fit"), lambda name: np.load(os.path.join(request["dir"], request[name]))
        if call in ("map", "assign", "predict"):  # what the last fit makes of other points
            value = np.asarray(calls[call](load("x")))
            return {{"map": "image", "assign": "labels", "predict": "values"}[call]: value.ravel() if call == "predict" else value}
        calls, function = {}, serves.get(call)
        if not function:
            raise TypeError("this program serves no %s: give serve the function, as in serve(%s=...)" % (call, call))
        if call == "kernel":
            return {"kernel": np.asarray(function(load("x"), load("y")))}
        problem = Problem(request)
        result = _seeded(function, problem)
        if call == "landmarks":
            return {"indices": np.asarray(result)}
        if call == "data":
            return result if isinstance(result, dict) else {"points": result}
        if call == "measure":
            return {"metrics": {name: None if value is None or np.isnan(value) else float(value) for name, value in result.items()}}
        calls = {key: value for key, value in result.items() if callable(value)}
        return {"seconds": problem.seconds, **{key: key in calls or value for key, value in result.items()}}

    while True:
        print('{"ready":2}', file=answers, flush=True)
        request = requests.readline()
        if not request:
            return
        with turn:
            Kernel.own = serves.get("kernel")
            try:
                request = json.loads(request)
                with warnings.catch_warnings():  # each request shows its own, whatever came before
                    text = _encode(answer(request), request["dir"])
            except Exception as e:
                frames = e.__traceback__
                while frames.tb_next and frames.tb_frame.f_code.co_filename == __file__:  # of this file
                    frames = frames.tb_next
                sys.stdout.flush()  # what was printed comes before it
                traceback.print_exception(type(e), e, frames, file=errors)
                text = json.dumps({"error": type(e).__name__ + ": " + str(e)})
        if os.getpid() != process:  # the function has forked
            os._exit(0)
        sys.stdout.flush()
        errors.flush()
        print(text, file=answers, flush=True)


def serve(fit=None, *, kernel=None, landmarks=None, measure=None, data=None):
    """Serves until mercer ends the program: fit(problem) gives an answer's arrays,
    kernel(a, b) the matrix of k(a_i, b_j), landmarks(problem) the rows of X that are
    landmarks, measure(problem), with the Parts sample and held_out, numbers by name, and
    data(problem) n points (n x dim), or a dict with points, labels and responses."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what anything prints
    sys.stdout.flush()
    answering(sys.stdin, answers, sys.stderr, fit=fit, kernel=kernel, landmarks=landmarks, measure=measure, data=data)
