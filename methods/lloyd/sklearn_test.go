package lloyd

import (
	"bytes"
	"encoding/json"
	"math"
	"os/exec"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

const sklearnProgram = `
import json, sys, warnings
import numpy as np
from sklearn.cluster import KMeans
warnings.simplefilter("ignore")
out = []
for job in json.load(sys.stdin):
    x, c = np.array(job["x"]), np.array(job["centers"])
    m = KMeans(len(c), init=c, n_init=1, tol=job["tol"], max_iter=job["max_iter"], algorithm="lloyd").fit(x)
    out.append(dict(labels=m.labels_.tolist(), centers=m.cluster_centers_.tolist(), cost=float(m.inertia_), iterations=int(m.n_iter_)))
json.dump(out, sys.stdout)
`

type sklearnJob struct {
	X       [][]float64 `json:"x"`
	Centers [][]float64 `json:"centers"`
	Tol     float64     `json:"tol"`
	MaxIter int         `json:"max_iter"`
}

type sklearnAnswer struct {
	Labels     []int
	Centers    [][]float64
	Cost       float64
	Iterations int
}

func rowsOf(x *mat.Dense) [][]float64 {
	n, _ := x.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = x.RawRowView(i)
	}
	return rows
}

// TestAgainstSklearn: from the same centres, scikit-learn's KMeans takes the
// same number of iterations to the same labels, for several tol and max_iter;
// one job empties a cluster. Centres agree to 1e-9 and costs to 1e-10 relative:
// scikit-learn subtracts the mean first, and its sums drift by thousands of
// roundings.
func TestAgainstSklearn(t *testing.T) {
	python := ""
	for _, candidate := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(candidate, "-c", "import sklearn").Run() == nil {
			python = candidate
			break
		}
	}
	if python == "" {
		t.Skip("SKIPPED: no python3 with scikit-learn; install python3-sklearn to compare with it")
	}
	var jobs []sklearnJob
	var data []*mat.Dense
	for _, s := range []struct {
		n, d, k  int
		tol      float64
		maxIter  int
		farStart bool
	}{{300, 2, 4, 1e-4, 300, false}, {300, 2, 4, 0, 300, false}, {800, 15, 6, 1e-2, 300, false}, {800, 15, 6, 0, 5, false}, {500, 40, 20, 1e-4, 300, false}, {400, 1, 3, 1e-3, 300, false}, {300, 5, 3, 1e-4, 300, true}} {
		x, _ := mixture(s.n, s.d, s.k, 0.7, uint64(s.n+s.d))
		centers := firstRows(x, s.k)
		if s.farStart {
			centers.Set(1, 0, 1e3)
		}
		data = append(data, x)
		jobs = append(jobs, sklearnJob{rowsOf(x), rowsOf(centers), s.tol, s.maxIter})
	}
	input, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(python, "-c", sklearnProgram)
	command.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	var answers []sklearnAnswer
	if err := json.Unmarshal(output, &answers); err != nil || len(answers) != len(jobs) {
		t.Fatalf("%d answers of %d: %v", len(answers), len(jobs), err)
	}
	for i, want := range answers {
		job := jobs[i]
		k, d := len(job.Centers), len(job.Centers[0])
		centers := mat.NewDense(k, d, nil)
		theirs := mat.NewDense(k, d, nil)
		for j := range k {
			centers.SetRow(j, job.Centers[j])
			theirs.SetRow(j, want.Centers[j])
		}
		o := from(centers)
		o.Tol, o.MaxIter = job.Tol, job.MaxIter
		r := cluster(t, data[i], k, o, 1)
		if !slices.Equal(r.Labels, want.Labels) || r.Iterations != want.Iterations {
			t.Errorf("job %d: %d iterations, scikit-learn %d; same labels: %v", i, r.Iterations, want.Iterations, slices.Equal(r.Labels, want.Labels))
		}
		if !mat.EqualApprox(r.Centers, theirs, 1e-9) || math.Abs(r.Cost-want.Cost) > 1e-10*want.Cost {
			t.Errorf("job %d: cost %v, scikit-learn %v", i, r.Cost, want.Cost)
		}
	}
}
