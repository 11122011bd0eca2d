"""The scikit-learn side of the comparison: reads one task a line from standard
input, with its options and the number of the random start, and answers with one
JSON line: seconds of the work alone, and what to check."""
import gzip, json, struct, sys, time
import numpy as np
import sklearn
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, KernelPCA
from sklearn.kernel_approximation import Nystroem, RBFSampler


def images(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        _, n, rows, columns = struct.unpack(">IIII", f.read(16))
        return np.frombuffer(f.read(), np.uint8).reshape(n, rows * columns) / 255.0


def timed(work):
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


def main():
    x = images(sys.argv[1])
    gamma = float(sys.argv[2])
    print(json.dumps({"version": f"scikit-learn {sklearn.__version__}, NumPy {np.__version__}"}), flush=True)
    for line in sys.stdin:
        task, *options, start = line.split()
        if task == "kpca":
            model = KernelPCA(10, kernel="rbf", gamma=gamma, eigen_solver=options[0], random_state=0)
            seconds, _ = timed(lambda: model.fit(x[:5000]))
            answer = {"check": list(map(float, model.eigenvalues_))}
        elif task == "nystroem":
            seconds, z = timed(lambda: Nystroem(gamma=gamma, n_components=1000, random_state=int(start)).fit_transform(x))
            answer = {"check": []}
        elif task == "kmeans":
            def work():
                z = Nystroem(gamma=gamma, n_components=1000, random_state=int(start)).fit_transform(x)
                return KMeans(10, n_init=1, tol=1e-4, algorithm=options[0], random_state=int(start)).fit(z)
            seconds, model = timed(work)
            answer = {"check": [float(model.inertia_)]}
        elif task == "clusters":
            z = np.fromfile(sys.argv[3]).reshape(len(x), -1)
            seconds, model = timed(lambda: KMeans(10, n_init=1, tol=1e-4, algorithm=options[0], random_state=int(start)).fit(z))
            answer = {"check": [float(model.inertia_)]}
        elif task == "rff":
            def work():
                z = RBFSampler(gamma=gamma, n_components=750, random_state=0).fit_transform(x[:20000])
                return PCA(10, svd_solver=options[0], random_state=0).fit(z)
            seconds, _ = timed(work)
            answer = {"check": []}
        else:
            answer, seconds = {"error": f"unknown task {task}"}, 0.0
        print(json.dumps({"seconds": seconds, **answer}), flush=True)


main()
