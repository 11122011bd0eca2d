package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os/exec"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

const sklearnProgram = `
import json, sys
import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn import metrics as m
out = []
for job in json.load(sys.stdin):
    classes, clusters, x = job["classes"], job["clusters"], np.array(job["x"])
    scores = dict(nmi_arithmetic=m.normalized_mutual_info_score(classes, clusters),
        nmi_geometric=m.normalized_mutual_info_score(classes, clusters, average_method="geometric"),
        adjusted_rand=m.adjusted_rand_score(classes, clusters), rand=m.rand_score(classes, clusters))
    table = m.cluster.contingency_matrix(classes, clusters)
    scores["cluster_accuracy"] = table[linear_sum_assignment(-table)].sum() / table.sum()
    scores["purity"] = table.max(axis=0).sum() / table.sum()
    if 1 < len(set(classes)) < len(classes):
        scores["silhouette"] = m.silhouette_score(x, classes)
    out.append({name: float(v) for name, v in scores.items()})
json.dump(out, sys.stdout)
`

type scoreJob struct {
	Classes  []int       `json:"classes"`
	Clusters []int       `json:"clusters"`
	X        [][]float64 `json:"x"`
}

// scoreJobs are labellings from independent to equal, with classes of one point,
// empty clusters, and the limits.
func scoreJobs() []scoreJob {
	jobs := []scoreJob{
		{Classes: []int{0, 0, 0, 0}, Clusters: []int{1, 1, 1, 1}},
		{Classes: []int{0, 0, 0, 0}, Clusters: []int{0, 1, 2, 3}},
		{Classes: []int{0, 1, 2, 3}, Clusters: []int{0, 0, 0, 0}},
		{Classes: []int{0, 1, 2, 3}, Clusters: []int{3, 2, 1, 0}},
		{Classes: []int{0, 0, 1, 1}, Clusters: []int{0, 1, 0, 1}},
		{Classes: []int{0, 2, 2, 2, 2}, Clusters: []int{0, 0, 1, 1, 4}},
	}
	rng := newRand(21)
	for _, agree := range []float64{0, 0.3, 0.9, 1} {
		for _, n := range []int{30, 1500} {
			job := scoreJob{Classes: make([]int, n), Clusters: make([]int, n)}
			for i := range n {
				job.Classes[i], job.Clusters[i] = rng.IntN(7), rng.IntN(5)
				if rng.Float64() < agree {
					job.Clusters[i] = 6 - job.Classes[i]
				}
			}
			jobs = append(jobs, job)
		}
	}
	for j := range jobs {
		for _, class := range jobs[j].Classes {
			jobs[j].X = append(jobs[j].X, []float64{float64(class) + rng.NormFloat64(), rng.NormFloat64(), 100})
		}
	}
	return jobs
}

// TestAgainstSklearn: scores of given labels to 1e-8, by way of a model that
// holds them.
func TestAgainstSklearn(t *testing.T) {
	jobs := scoreJobs()
	var answers []map[string]float64
	python(t, "python3-sklearn", sklearnProgram, jobs, &answers)
	if len(answers) != len(jobs) {
		t.Fatalf("%d answers of %d", len(answers), len(jobs))
	}
	for j, want := range answers {
		for name, v := range scores(t, jobs[j], want) {
			if !(math.Abs(v-want[name]) <= 1e-8) {
				t.Errorf("job %d: %s is %.15g, scikit-learn %.15g", j, name, v, want[name])
			}
		}
	}
}

// scores are those of the measures that yield the wanted ones.
func scores(t *testing.T, job scoreJob, want map[string]float64) map[string]float64 {
	t.Helper()
	x := mat.NewDense(len(job.X), 3, nil)
	for i, row := range job.X {
		x.SetRow(i, row)
	}
	names := []string{"nmi", "rand", "adjusted_rand", "cluster_accuracy", "purity"}
	if _, given := want["silhouette"]; given {
		names = append(names, "separation")
	}
	plane := kernel.Expansion{Kernel: kernel.Polynomial{Degree: 1, Gamma: 1}, Points: identity(3), Coef: identity(3)}
	model := &methods.Clustering{Labels: job.Clusters, Clusters: 7, Embedding: &methods.Embedding{Functions: plane}}
	values, _, err := Evaluate(t.Context(), Truth{X: x, Labels: job.Classes}, model, []int{0}, names)
	if err != nil {
		t.Fatal(err)
	}
	delete(values[0], "separation")
	if len(values[0]) != len(want) {
		t.Errorf("%d scores, want %d", len(values[0]), len(want))
	}
	return values[0]
}

func identity(n int) *mat.Dense {
	one := mat.NewDense(n, n, nil)
	for i := range n {
		one.Set(i, i, 1)
	}
	return one
}

// python runs a program with job as JSON on its input and decodes the JSON that
// it prints into answer: a peer to compare with. Without a python3 that has the
// program's modules the test is skipped, and says that the Debian package needs
// has to be installed.
func python(t *testing.T, needs, program string, job, answer any) {
	t.Helper()
	input, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		command := exec.Command(python, "-c", program)
		var stderr bytes.Buffer
		command.Stdin, command.Stderr = bytes.NewReader(input), &stderr
		output, err := command.Output()
		switch {
		case errors.Is(err, exec.ErrNotFound), bytes.Contains(stderr.Bytes(), []byte("ModuleNotFoundError")):
			continue
		case err != nil:
			t.Fatalf("%v: %s", err, &stderr)
		}
		if err := json.Unmarshal(output, answer); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Skipf("SKIPPED: no python3 has the modules; install %s to compare with them", needs)
}
