"""scikit-learn as methods of mercer: scikit.py kpca | nystroem [uniform | first] | kmeans

mercer.py is beside this file: mercer init --exec py > mercer.py
"""
import sys

import numpy as np
from mercer import serve
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, KernelPCA
from sklearn.kernel_approximation import Nystroem


def kpca(problem):
    """Kernel PCA on all points: mercer's ekpca with center: v."""
    with problem.phase("gram"):
        gram = problem.kernel(problem.X, problem.X)
    with problem.phase("solve"):
        model = KernelPCA(problem.ell, kernel="precomputed", eigen_solver="dense").fit(gram)
    return {
        "coef": model.eigenvectors_ / np.sqrt(model.eigenvalues_),
        "values": model.eigenvalues_ / problem.n, "centered": True,
    }


class First(np.random.RandomState):
    """A stream whose permutations change nothing: landmarks are the first points."""

    def permutation(self, n):
        return np.arange(n)


def nystroem(problem, landmarks="uniform"):
    """PCA of Nystroem features: mercer's nystrom with center: u."""
    kernel = problem.kernel

    def between(a, b):
        return float(kernel(a[None, :], b[None, :])[0, 0])

    seed = First() if landmarks == "first" else problem.seed
    if kernel.name == "gaussian":
        features = Nystroem("rbf", gamma=kernel.form["gamma"], n_components=problem.m, random_state=seed)
    else:
        features = Nystroem(between, n_components=problem.m, random_state=seed)
    with problem.phase("embed"):
        embedded = features.fit_transform(problem.X)
    with problem.phase("solve"):
        pca = PCA(problem.ell, svd_solver="full").fit(embedded)
    return {
        "indices": features.component_indices_, "coef": features.normalization_.T @ pca.components_.T,
        "values": pca.explained_variance_, "centered": True,
    }


def kmeans(problem):
    """Lloyd's algorithm in the input space from the first k points."""
    model = KMeans(problem.k, init=problem.X[:problem.k], n_init=1, tol=0, max_iter=300, algorithm="lloyd").fit(problem.X)
    return {"labels": model.labels_, "centers": model.cluster_centers_, "iterations": model.n_iter_}


method = {"kpca": kpca, "nystroem": nystroem, "kmeans": kmeans}[sys.argv[1]]
serve(lambda problem: method(problem, *sys.argv[2:]))
