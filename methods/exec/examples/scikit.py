"""scikit-learn as methods of mercer:

    scikit.py kpca | nystroem [uniform | first] | kmeans            model subspace, clustering
    scikit.py rbf_sampler | nystroem_map [uniform | first]          model embedding, of m features
    scikit.py rbf_sampler_kmeans                                    model clustering
    scikit.py kernel_ridge LAMBDA                                   model regression
    scikit.py nystroem_ridge LAMBDA [uniform | first]               model regression

mercer.py is beside this file: mercer init --exec py > mercer.py
"""
import sys

import numpy as np
from mercer import serve
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, KernelPCA
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge


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


def landmark_features(problem, landmarks):
    kernel = problem.kernel

    def between(a, b):
        return float(kernel(a[None, :], b[None, :])[0, 0])

    seed = First() if landmarks == "first" else problem.seed
    if kernel.name == "gaussian":
        return Nystroem("rbf", gamma=kernel.form["gamma"], n_components=problem.m, random_state=seed)
    return Nystroem(between, n_components=problem.m, random_state=seed)


def nystroem(problem, landmarks="uniform"):
    """PCA of Nystroem features: mercer's nystrom with center: u."""
    features = landmark_features(problem, landmarks)
    with problem.phase("embed"):
        embedded = features.fit_transform(problem.X)
    with problem.phase("solve"):
        pca = PCA(problem.ell, svd_solver="full").fit(embedded)
    return {
        "indices": features.component_indices_, "coef": features.normalization_.T @ pca.components_.T,
        "values": pca.explained_variance_, "centered": True,
    }


def nystroem_map(problem, landmarks="uniform"):
    """Nystroem features: mercer's nystrom-embedding with rank: full, but for a rotation."""
    return {"map": landmark_features(problem, landmarks).fit(problem.X).transform}


def random_features(problem):
    return RBFSampler(gamma=problem.kernel.form["gamma"], n_components=problem.m, random_state=problem.seed).fit(problem.X)


def rbf_sampler(problem):
    """Random Fourier features with offsets, for a Gaussian kernel."""
    return {"map": random_features(problem).transform}


def rbf_sampler_kmeans(problem):
    """KMeans of random Fourier features, which assigns other points by itself."""
    features = random_features(problem)
    model = KMeans(problem.k, n_init=1, random_state=problem.seed).fit(features.transform(problem.X))
    return {
        "labels": model.labels_, "assign": lambda points: model.predict(features.transform(points)),
        "iterations": model.n_iter_,
    }


def kmeans(problem):
    """Lloyd's algorithm in the input space from the first k points."""
    model = KMeans(problem.k, init=problem.X[:problem.k], n_init=1, tol=0, max_iter=300, algorithm="lloyd").fit(problem.X)
    return {"labels": model.labels_, "centers": model.cluster_centers_, "iterations": model.n_iter_}


def kernel_ridge(problem, ridge):
    """Kernel ridge regression: mercer's krr with this ridge."""
    with problem.phase("gram"):
        gram = problem.kernel(problem.X, problem.X)
    with problem.phase("solve"):
        model = KernelRidge(problem.n * float(ridge), kernel="precomputed").fit(gram, problem.y)
    return {"coef": model.dual_coef_[:, None]}


def nystroem_ridge(problem, ridge, landmarks="uniform"):
    """Ridge regression on Nystroem features: mercer's nystrom-krr with this ridge."""
    features = landmark_features(problem, landmarks).fit(problem.X)
    model = Ridge(problem.n * float(ridge), fit_intercept=False).fit(features.transform(problem.X), problem.y)
    return {"predict": lambda points: model.predict(features.transform(points))}


method = {
    "kpca": kpca, "nystroem": nystroem, "kmeans": kmeans, "nystroem_map": nystroem_map,
    "rbf_sampler": rbf_sampler, "rbf_sampler_kmeans": rbf_sampler_kmeans,
    "kernel_ridge": kernel_ridge, "nystroem_ridge": nystroem_ridge,
}[sys.argv[1]]
serve(lambda problem: method(problem, *sys.argv[2:]))
