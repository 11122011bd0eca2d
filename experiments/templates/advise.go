package templates

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"mercer/configs"
	"mercer/internal/lists"
)

// Advice is a request for the least number of landmarks or features at which approximations are
// within a tolerance. Its spec is advise.yaml.tmpl: a target for each method, and what it costs.
type Advice struct {
	Request
	Task      string  // one of Tasks
	Kernel    string  // gaussian or laplace
	Sigma     string  // median, sweep (the median, its half and its double), or a number
	Raw       bool    // coordinates as they are, not standardised
	Tolerance float64 // 0.01 is 1 %; 0 for the task's own
	Times     float64 // multiple of the median distance that sigma is, unless it is a number
	Ridge     float64 // of a regression; 0 until a sweep has found it
	Ell, K    int     // components, clusters
	Seconds   float64 // that a run may take
	Reach     float64 // points over the largest sample, beyond which nothing can be said of them

	Samples []int // their sizes, of which the last is the largest that the time allows
	Small   []int // those of features where their error takes n³ operations; else nil
	Swept   int   // sample of other bandwidths
}

// Task is a use of an approximation, and when it is good.
type Task struct {
	Name      string // in a title
	Exact     string // the method that the others are held against; "" where the error is itself relative
	Measure   string
	Error     string  // a metric of it
	More      bool    // of which more is better
	Tolerance float64 // the usual one
	largest   float64 // sample of two minutes
}

// Tasks are those of mercer advise, by name.
var Tasks = map[string]Task{
	"kernel":   {"the kernel matrix", "", "matrix_trace", "matrix_trace", false, 0.01, 25000},
	"spectral": {"the kernel matrix", "", "matrix_spectral", "matrix_spectral", false, 0.01, 2000},
	"pca":      {"kernel PCA", "ekpca", "recon_l2", "recon_l2_projection", false, 0.05, 4000},
	"cluster":  {"kernel k-means", "kernel-kmeans", "partition_cost", "partition_cost", false, 0.05, 2000},
	"regress":  {"kernel ridge regression", "krr", "rmse", "rmse", false, 0.05, 3000},
	"classify": {"classification by kernel ridge regression", "krr", "accuracy", "accuracy", true, 0.01, 3000},
}

// Values that a sweep tries: multiples of the median distance, and ridges.
var (
	sweptTimes = []float64{0.125, 0.25, 0.5, 1, 2, 4}
	sweptRidge = []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}
)

const (
	fewestPoints = 100  // for fewer an exact method takes no time
	mostFeatures = 4096 // landmarks or features that are tried
	sweptSample  = 1000 // of other bandwidths
	smallSample  = 1000 // of features whose error takes n³ operations
	mostHeldOut  = 1000 // of kernel PCA
	twoMinutes   = 120  // seconds
)

// Complete fills in what the request leaves open, after Look, and refuses what has no answer.
func (a *Advice) Complete() error {
	switch {
	case a.Task != "":
	case a.Response != "":
		a.Task = "regress"
	case a.Label != "":
		a.Task = "classify"
	default:
		a.Task = "kernel"
	}
	task, known := Tasks[a.Task]
	sigma, err := strconv.ParseFloat(a.Sigma, 64)
	switch {
	case !known:
		return errors.New("--task: " + configs.Unknown("task", a.Task, "", slices.Sorted(maps.Keys(Tasks))))
	case a.Kernel != "gaussian" && a.Kernel != "laplace":
		return errors.New("--kernel: " + configs.Unknown("kernel", a.Kernel, "", []string{"gaussian", "laplace"}) + "; for another one: mercer init --csv, and a target (docs/targets.md)")
	case a.Sigma != "median" && a.Sigma != "sweep" && (err != nil || !(sigma > 0) || math.IsInf(sigma, 0)):
		return fmt.Errorf("--sigma %q: give median, sweep, or a number above 0", a.Sigma)
	case a.Ell < 1 || a.K < 0 || a.Ridge < 0 || !(a.Seconds > 0):
		return errors.New("--components, --seconds: give numbers above 0; --clusters, --ridge: leave out what is to be found")
	case a.Rows < fewestPoints:
		return fmt.Errorf("%s: %d rows: no approximation is needed; an exact method takes milliseconds, e.g. KernelRidge or KernelPCA of scikit-learn", a.CSV, a.Rows)
	case a.Task == "regress" && a.Response == "":
		return errors.New("--task regress: name the column of the numbers to predict: --response price")
	case a.Task == "classify" && a.Label == "":
		return errors.New("--task classify: name the column of the classes: --label species")
	}
	if a.Tolerance == 0 {
		a.Tolerance = task.Tolerance
	}
	a.Times = 1
	if a.K == 0 {
		a.K = max(a.Classes, 3)
	}

	points := float64(a.Rows - a.HeldOut())
	largest := min(points, task.largest*math.Sqrt(a.Seconds/twoMinutes))
	if least := points / a.Reach; least < 2*largest { // so that all points are within reach
		largest = max(largest, math.Ceil(least))
	}
	a.Samples = nested(largest, points)
	a.Swept = min(sweptSample, int(largest))
	a.Methods = []string{"uniform", "rpcholesky", "features"}
	if a.Task == "kernel" {
		a.Small = nested(min(smallSample, largest), points)
	}
	return nil
}

// Of are the samples of a method.
func (a *Advice) Of(method string) []int {
	if method == "features" && a.Small != nil {
		return a.Small
	}
	return a.Samples
}

// nested are sizes of samples up to the largest, of which the law of the least m at all points is
// read; the largest alone where that has all points.
func nested(largest, points float64) []int {
	if largest == points {
		return []int{int(points)}
	}
	return lists.Map([]float64{4, 2, 1}, func(part float64) int { return int(largest / part) })
}

// HeldOut is how many points are held out, on which errors are measured; 0 where they are measured
// on the sample.
func (a *Advice) HeldOut() int {
	switch {
	case a.Task == "pca":
		return min(mostHeldOut, a.Rows/5)
	case a.About().Exact == "krr":
		return a.Rows / 5
	}
	return 0
}

// About is the task.
func (a *Advice) About() Task { return Tasks[a.Task] }

// Bandwidths are the kernels of the spec by id: which multiple of the median distance each has.
func (a *Advice) Bandwidths() map[string]float64 {
	if a.Sigma == "sweep" {
		return map[string]float64{"sigma": a.Times, "sigma-half": a.Times / 2, "sigma-double": a.Times * 2}
	}
	return map[string]float64{"sigma": a.Times}
}

// Fixed says that sigma is a number.
func (a *Advice) Fixed() bool { return a.Sigma != "median" && a.Sigma != "sweep" }

// Limit is what a ratio to the exact method is held against.
func (a *Advice) Limit() float64 {
	if a.About().More {
		return 1 - a.Tolerance
	}
	return 1 + a.Tolerance
}

// Grid is what n takes.
func (a *Advice) Grid() []int {
	all := slices.Clone(a.Samples)
	all = append(all, a.Small...)
	if a.Sigma == "sweep" {
		all = append(all, a.Swept)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Ladder is what m takes: steps of a quarter of an octave up to half of the sample.
func (a *Advice) Ladder() (all []int) {
	for x := 4.0; x <= min(mostFeatures, float64(a.Samples[len(a.Samples)-1])/2); x *= math.Sqrt(math.Sqrt2) {
		all = append(all, int(math.Round(x)))
	}
	return slices.Compact(all)
}

// Sweeps says that ridge, and sigma where it is not given, are to be found first.
func (a *Advice) Sweeps() bool { return a.About().Exact == "krr" && a.Ridge == 0 }

// SweptToEnd says which of the values that a sweep took stands at the end of its list.
func (a *Advice) SweptToEnd() string {
	atEnd := func(list []float64, v float64) bool { return v == list[0] || v == list[len(list)-1] }
	switch {
	case !a.Fixed() && atEnd(sweptTimes, a.Times):
		return "sigma"
	case atEnd(sweptRidge, a.Ridge):
		return "ridge"
	}
	return ""
}

// SweptTimes and SweptRidge are the values that a sweep tries.
func (a *Advice) SweptTimes() []float64 { return sweptTimes }
func (a *Advice) SweptRidge() []float64 { return sweptRidge }

// Sweep is the text of a spec that has the error of the exact regression at each Times and Ridge.
func (a *Advice) Sweep() (string, error) { return filled("sweep", a) }

// Spec is the text of the spec, with a target for each method.
func (a *Advice) Spec() (string, error) { return filled("advise.yaml.tmpl", a) }
