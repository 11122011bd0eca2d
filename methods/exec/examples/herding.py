"""Kernel herding as a landmark rule of mercer: each landmark is the point that brings the mean
of the landmarks nearest to the mean of the sample, in H. n² kernel values, 8n bytes a row.

    landmarks: {exec: [python3, "{dir}/herding.py"]}

Reference: Chen, Welling & Smola 2010, for kernels with k(x,x) the same at all points.
"""
import numpy as np
from mercer import serve


def landmarks(p):
    mean = np.concatenate([p.kernel(rows, p.X).mean(axis=1) for rows in np.array_split(p.X, 1 + p.n // 1000)])
    chosen, near = [], np.zeros(p.n)
    while len(chosen) < p.m:
        gain = mean - near / (len(chosen) + 1)
        gain[chosen] = -np.inf
        chosen.append(int(np.argmax(gain)))
        near += p.kernel(p.X, p.X[chosen[-1:]])[:, 0]
    return chosen


serve(landmarks=landmarks)
