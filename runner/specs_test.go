package runner

// The specs that several tests run.
const (
	smallSpec = `
name: small
seed: 3
repeats: 4
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid:
  n: [60, 120]
  theta: [0.5, 1]
  ell: "ceil(n^(theta/alpha))"
  m: "min(n, ceil(n^theta * log(n)))"
methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: nystrom, use: nystrom, landmarks: uniform}
  - {id: rff, use: rff, features: mercer, m: "n"}
measure: [recon_h, recon_l2, eigenspace_l2, rank]
`
	absentSpec = `
name: absent
title: A test
source: none
question: Does the rest run?
seed: 5
repeats: 2
datasets:
  - {id: rings, use: cluster-in-cluster}
  - {id: lost, use: csv, path: not-there.csv, label: -1, optional: true}
kernels:
  - {id: rbf, use: gaussian, sigma: 1, form: sigma-squared}
grid: {n: [60, 80], m: 10, k: "classes"}
methods:
  - {id: plain, use: kmeans}
  - {id: map, use: nystrom-embedding, kmeans: {}}
measure: [rand, clusters]
claims:
  - {id: all, says: something, value: {of: rand, at_least: 0}}
  - {id: of-lost, says: something, value: {of: rand, where: {dataset: lost}, at_least: 0}}
  - {id: of-rings, says: something, value: {of: rand, where: {dataset: rings, method: plain}, at_least: 0}}
`
	clusteringSpec = `
name: clusters
title: A test
source: none
question: Does it run?
seed: 5
repeats: 2
datasets:
  - {id: rings, use: cluster-in-cluster, population: {held_out: 40}}
kernels:
  - {id: rbf, use: gaussian, sigma: 1, form: sigma-squared}
grid:
  n: [120, 200]
  m: [20, 40]
  d: [3, 5]
  k: "classes"
methods:
  - {id: plain, use: kmeans}
  - {id: exact, use: kernel-kmeans, tol: 0}
  - {id: whole, use: kpca-subsample, subsample: all, kmeans: {}}
  - {id: kjl, use: kjl, centered: true, kmeans: {restarts: 2}}
  - {id: map, use: nystrom-embedding}
measure: [adjusted_rand, cluster_cost, partition_cost, separation, clusters]
`
	scatterSpec = `
name: rings
seed: 5
repeats: 2
datasets:
  - {id: rings, use: cluster-in-cluster, population: {held_out: 50}}
kernels:
  - {id: rbf, use: gaussian, bandwidth: {quantile: 0.25}, form: sigma-squared}
grid: {n: [60, 80], m: [20, 30], d: 3, ell: 3, k: classes}
methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: kjl, use: kjl, centered: true}
  - {id: kernel, use: kernel-kmeans}
measure: [rank, clusters]
plots:
  - {id: before-and-after, kind: scatter, where: {n: 80, m: [20]}}
`
	passesSpec = `
name: stream
seed: 5
repeats: 2
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid:
  n: [60, 200, 120]
  ell: [1, "ceil(n^0.4)"]
  m: [16, 20]
  d: 12
methods:
  - {id: oja, use: rf-oja, features: mercer, schedule: adaoja}
  - {id: phases, use: rf-oja, features: mercer, center: u, schedule: theorem-d3, components: 1, gap: 0.5, lambda: 0.8, delta: 0.9, c: 1}
  - {id: rff, use: rff, features: mercer}
measure: [recon_l2, eigenvalues]
`
	streamedSpec = `
name: streamed
title: A test
source: none
question: Does it run?
seed: 5
repeats: 2
datasets:
  - {id: rings, use: cluster-in-cluster, population: {held_out: 300}}
kernels:
  - {id: rbf, use: gaussian, sigma: 4, form: sigma-squared}
grid: {n: [400, 900], m: 30, k: "classes"}
methods:
  - {id: memory, use: nystrom-embedding, kmeans: {}}
  - {id: stream, use: nystrom-embedding, stream: true, kmeans: {}}
measure: [nmi, cluster_cost, clusters]
`
)
