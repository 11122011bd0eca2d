#!/usr/bin/env python3
"""scikit-learn as methods of mercer: sklearn.py kpca | nystroem [uniform | first] | kmeans

A worked example of the protocol of docs/exec.md. All arrays pass as .npy files
in the directory that the program is started in.
"""
import json
import sys
import time

sys.path.pop(0)  # this script's own folder, where "import sklearn" would find the script

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, KernelPCA
from sklearn.gaussian_process.kernels import Matern
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics import pairwise


def kernel(form, x, y):
    """The kernel of a request between the rows of x and y."""
    name = form["name"]
    if name == "gaussian":
        return pairwise.rbf_kernel(x, y, gamma=form["gamma"])
    if name == "laplace":
        return pairwise.laplacian_kernel(x, y, gamma=1 / form["sigma"])
    if name == "matern":
        return Matern(length_scale=form["sigma"], nu=form["nu"])(x, y)
    if name == "cauchy":
        squares = (x[:, None, :] - y[None, :, :]) ** 2
        return np.prod(1 / (1 + squares / form["sigma"] ** 2), axis=2)
    if name == "linear":
        return pairwise.linear_kernel(x, y)
    if name == "polynomial":
        return pairwise.polynomial_kernel(x, y, degree=form["degree"], gamma=form["gamma"], coef0=form["offset"])
    if name == "series":
        eigenvalues = series(form)
        i = np.pi * np.arange(1, len(eigenvalues) + 1)
        return 2 * (np.cos(x * i) * eigenvalues) @ np.cos(y * i).T
    raise ValueError("no kernel " + name)


def series(form):
    """Eigenvalues of a series kernel; of i^-power as many as matter to 1e-12, at most 20000."""
    if "eigenvalues" in form:
        return np.array(form["eigenvalues"])
    if "rho" in form:
        return form["rho"] ** np.arange(1, 2 + int(np.log(1e-17) / np.log(form["rho"])))
    return np.arange(1, 20001, dtype=float) ** -form["power"]


def kpca(request, x):
    """Kernel PCA on all points: mercer's ekpca with center: v."""
    began = time.perf_counter()
    gram = kernel(request["kernel"], x, x)
    formed = time.perf_counter()
    model = KernelPCA(request["ell"], kernel="precomputed", eigen_solver="dense").fit(gram)
    solved = time.perf_counter()
    np.save("coef.npy", model.eigenvectors_ / np.sqrt(model.eigenvalues_))
    np.save("values.npy", model.eigenvalues_ / len(x))
    return {
        "coef": "coef.npy", "values": "values.npy", "centered": True,
        "seconds": {"gram": formed - began, "solve": solved - formed},
    }


class First(np.random.RandomState):
    """A stream whose permutations change nothing: landmarks are the first points."""

    def permutation(self, n):
        return np.arange(n)


def nystroem(request, x, landmarks="uniform"):
    """PCA of Nystroem features: mercer's nystrom with center: u."""
    seed = First() if landmarks == "first" else request["seed"]
    form = request["kernel"]

    def between(a, b):
        return float(kernel(form, a[None, :], b[None, :])[0, 0])

    if form["name"] == "gaussian":
        features = Nystroem("rbf", gamma=form["gamma"], n_components=request["m"], random_state=seed)
    else:
        features = Nystroem(between, n_components=request["m"], random_state=seed)
    began = time.perf_counter()
    embedded = features.fit_transform(x)
    mapped = time.perf_counter()
    pca = PCA(request["ell"], svd_solver="full").fit(embedded)
    solved = time.perf_counter()
    np.save("landmarks.npy", features.component_indices_)
    np.save("coef.npy", features.normalization_.T @ pca.components_.T)
    np.save("values.npy", pca.explained_variance_)
    return {
        "indices": "landmarks.npy", "coef": "coef.npy", "values": "values.npy", "centered": True,
        "seconds": {"embed": mapped - began, "solve": solved - mapped},
    }


def kmeans(request, x):
    """Lloyd's algorithm in the input space from the first k points."""
    k = request["k"]
    model = KMeans(k, init=x[:k], n_init=1, tol=0, max_iter=300, algorithm="lloyd").fit(x)
    np.save("labels.npy", model.labels_)
    np.save("centers.npy", model.cluster_centers_)
    return {"labels": "labels.npy", "centers": "centers.npy", "iterations": int(model.n_iter_)}


def main():
    request = json.loads(sys.stdin.readline())
    if request["protocol"] != 1:
        sys.exit("protocol %d: want 1" % request["protocol"])
    x = np.load(request["x"])
    method = {"kpca": kpca, "nystroem": nystroem, "kmeans": kmeans}[sys.argv[1]]
    print(json.dumps(method(request, x, *sys.argv[2:])))


if __name__ == "__main__":
    main()
