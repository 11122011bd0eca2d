"""Faiss' k-means as a method of mercer: faiss_kmeans.py [random | first]

It begins with random points, or with the first k. Faiss works in single precision.
mercer.py is beside this file: mercer init --exec py > mercer.py
"""
import sys

import faiss
import numpy as np
from mercer import serve


def fit(problem):
    x = np.ascontiguousarray(problem.X, dtype=np.float32)
    first = x[:problem.k].copy() if sys.argv[1:] == ["first"] else None
    faiss.omp_set_num_threads(problem.threads)
    model = faiss.Kmeans(problem.dim, problem.k, niter=50, seed=problem.seed,
                         min_points_per_centroid=1, max_points_per_centroid=problem.n)
    with problem.phase("solve"):
        model.train(x, init_centroids=first)
        labels = model.index.search(x, 1)[1][:, 0]
    return {"labels": labels, "centers": model.centroids, "iterations": 50}


serve(fit)
