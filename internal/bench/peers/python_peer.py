"""The side of scikit-learn and Faiss: reads one task a line from standard input, with
its points, its options and the number of the random start, and answers with one JSON
line: seconds of the work alone, and what to check."""
import functools, json, sys, time
import faiss
import numpy as np
import sklearn
import threadpoolctl
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, KernelPCA
from sklearn.kernel_approximation import Nystroem, RBFSampler


GAMMA = {"images": 1 / 104, "dense": 1 / 1568}


@functools.lru_cache(maxsize=1)
def points(name):
    return np.fromfile(f"{sys.argv[1]}/{name}").reshape(-1, 784)


def timed(work):
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


def faiss_clusters(z, start):
    """k-means of Faiss on all points: 25 iterations from one start, in float32."""
    z = np.ascontiguousarray(z, np.float32)
    model = faiss.Kmeans(z.shape[1], 10, niter=25, nredo=1, seed=start + 1, max_points_per_centroid=len(z))
    seconds, _ = timed(lambda: model.train(z))
    return seconds, [float(model.index.search(z, 1)[0].sum(dtype=np.float64))]


def answer(name, task, options, start):
    x, gamma = points(name), GAMMA[name]
    if task == "kpca":
        model = KernelPCA(10, kernel="rbf", gamma=gamma, eigen_solver=options[0], random_state=start)
        seconds, _ = timed(lambda: model.fit(x[:5000]))
        return seconds, list(map(float, model.eigenvalues_))
    if task == "nystroem":
        return timed(lambda: Nystroem(gamma=gamma, n_components=1000, random_state=start).fit_transform(x))[0], []
    if task == "clusters":
        z = np.fromfile(f"{sys.argv[1]}/features").reshape(len(x), -1)
        if options[0] == "faiss":
            return faiss_clusters(z, start)
        seconds, model = timed(lambda: KMeans(10, n_init=1, tol=1e-4, algorithm=options[0], random_state=start).fit(z))
        return seconds, [float(model.inertia_)]
    if task == "rff":
        def work():
            n, components, solver = int(options[0]), int(options[1]), options[2]
            z = RBFSampler(gamma=gamma, n_components=components, random_state=0).fit_transform(x[:n])
            return PCA(10, svd_solver=solver, random_state=0).fit(z)
        return timed(work)[0], []
    raise ValueError(f"unknown task {task}")


def main():
    cores = {library.get("architecture", "") for library in threadpoolctl.threadpool_info()}
    about = f"scikit-learn {sklearn.__version__}, NumPy {np.__version__}, BLAS for {' '.join(sorted(cores)).strip()}"
    print(about + f", Faiss {faiss.__version__}", flush=True)
    for line in sys.stdin:
        name, task, *options, start = line.split()
        seconds, check = answer(name, task, options, int(start))
        print(json.dumps({"seconds": seconds, "check": check}), flush=True)


main()
