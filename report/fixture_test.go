package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/results"
)

// noiseAt is a fixed number in [-1, 1] that looks random.
func noiseAt(i int) float64 { return math.Sin(float64(i*i)*12.9898 + 4.1) }

// fixedRun is a small run with everything a report has to tell: three methods,
// two data sets' worth of variables, warnings, failures, skipped and missing
// records, a numbered family and times.
func fixedRun() results.Run {
	m := results.Manifest{
		Schema: results.SchemaVersion, Profile: "smoke", SpecSum: "0123abcd", Repeats: 4,
		Machine:  results.Machine{OS: "linux", Arch: "amd64", CPU: "Some CPU", Cores: 2, Memory: 8 << 30},
		Versions: map[string]string{"mercer": "0.1.0", "go": "go1.26"},
		Commit:   "deadbeef", Command: "mercer run nystrom-rates --profile smoke",
		Started: "2026-01-02T03:04:05Z", Finished: "2026-01-02T03:05:00Z",
	}
	var rows []results.Row
	for _, method := range []string{"ekpca", "nystrom", "rff"} {
		for _, theta := range []float64{0.5, 0.75} {
			for _, n := range []int{250, 500, 1000} {
				for repeat := range 4 {
					rows = append(rows, fixedRow(method, theta, n, repeat))
				}
			}
		}
	}
	run := runOf([]string{"n", "theta", "m"}, rows...)
	run.Catalog.Columns[len(run.Catalog.Columns)-1].Free = false // m is ceil(n^theta)
	completeRun(&run, 2)
	m.IDs = run.Manifest.IDs
	run.Dir, run.Manifest, run.Warnings = "results/nystrom-rates/smoke", m, []string{"records.jsonl: a torn last line was dropped"}
	run.Catalog.Methods["kjl"] = results.MethodInfo{Use: "kjl", Label: methodLabels["kjl"]}
	spec := run.Spec
	spec.Name, spec.Title, spec.Seed = "nystrom-rates", "Nyström keeps the rate | of KPCA <really>", 7
	spec.Source, spec.Question = "A paper, Cor 4.2 & 4.5", "Does m = n^theta * log(n) suffice?\nAnd for which theta?"
	spec.Notes = []string{"The paper divides by n | here it is n-1.\nSo numbers differ *slightly*.", "# The paper's m is ours."}
	for _, name := range []string{"n", "theta", "m"} {
		spec.Grid.Variables = append(spec.Grid.Variables, configs.Variable{Name: name})
	}
	for i := range spec.Methods {
		if spec.Methods[i].ID == "rff" {
			spec.Methods[i].Sizes = map[string]configs.Value{"m": {Text: "2*m"}}
		}
	}
	run.Catalog.Populations = map[string]results.Population{"p": {Dataset: "poly2", Describe: "series with λ_i = i^-2", Kernel: "series kernel, λ_i = i^-2", Fingerprint: "f00d",
		Constants: map[string]float64{"alpha": 2, "kappa": 1.2825498301618641}}}
	return run
}

func fixedRow(method string, theta float64, n, repeat int) results.Row {
	size := int(math.Ceil(math.Pow(float64(n), theta)))
	m := size
	if method == "rff" {
		m = 2 * size
	}
	r := results.Row{Schema: results.SchemaVersion, ID: fmt.Sprint(method, theta, n, repeat), Population: "p",
		At:     keyOf("dataset", "poly2", "kernel", "series", "method", method, "n", fmt.Sprint(n), "theta", fmt.Sprint(theta), "m", fmt.Sprint(m)),
		Repeat: repeat, Status: results.OK, Version: "1", BLAS: "gonum"}
	seed := n + int(1000*theta) + 17*repeat
	switch {
	case method == "rff" && n == 1000 && repeat == 3:
		r.Status, r.Reason = results.Failed, fmt.Sprintf("eigen solver: no convergence after %d steps", 300+size)
		return r
	case method == "rff" && n == 250 && theta == 0.75:
		r.Status, r.Reason = results.Skipped, "m = 63 features | of <n> = 250"
		return r
	case method == "nystrom" && repeat < 2:
		r.Warnings = []string{fmt.Sprintf("numerical rank of the landmarks' kernel matrix is %d of m = %d", size-repeat-1, size)}
	}
	floor := math.Pow(float64(n), -theta/2) / 3
	level := map[string]float64{"ekpca": 1.1, "nystrom": 1.3, "rff": 1.31}[method]
	r.Metrics = results.NewMetrics(map[string]float64{
		"recon_h":       floor * level * (1 + 0.02*noiseAt(seed)) * (1 + 0.001*noiseAt(seed+len(method))),
		"recon_h_floor": floor,
		"rank":          float64(size),
		"time_total":    0.01 * float64(n) * (1 + 0.1*noiseAt(seed+5)),
	})
	for i := 1; i <= 5; i++ {
		r.Metrics.Set(fmt.Sprintf("eigenvalue_%d", i), math.Pow(float64(i), -2)*1e-6*(1+0.01*noiseAt(seed+i)))
	}
	return r
}

// fixedSlope is a slope verdict with points that follow it.
func fixedSlope(theta string, slope, target float64, outcome claims.Outcome) claims.Verdict {
	v := claims.Verdict{Claim: "cor-4.2-iii", Kind: "slope", Says: "R decays as n^(-θ(1-1/α)) once m ≥ n^θ log n", Source: "Cor 4.2",
		Group:   keyOf("dataset", "poly2", "kernel", "series", "method", "nystrom", "theta", theta),
		Outcome: outcome, Of: "recon_h", Over: "n", Estimate: slope, Low: slope - 0.0123, High: slope + 0.0123, Level: 0.95,
		Relation: "=", Target: target, Within: 0.08, Repeats: 4, Reason: "slope, interval and band | say so",
		Notes: []string{"the exact floor recon_h_floor has slope -0.251 over the same points"}}
	for i, n := range []float64{250, 500, 1000} {
		y := 1.3 * math.Pow(n, slope)
		floor := math.Pow(n, target)
		p := claims.Point{X: n, Y: y * (1 + 0.02*noiseAt(i)), Low: y * 0.95, High: y * 1.06, Floor: &floor, Fit: y,
			Theory: 1.3 * math.Pow(500, slope) * math.Pow(n/500, target)}
		if i > 0 {
			local := slope + 0.01*noiseAt(i)
			p.Local = &local
		}
		v.Points = append(v.Points, p)
	}
	return v
}

// fixedVerdicts are verdicts of each kind and outcome: slopes, a ratio with a cell that is violated and
// one without an estimate, a value of which each row is judged, a claim that picks nothing, and bounds
// that hold, apply to no cell, have an open parameter, and say nothing.
func fixedVerdicts() (verdicts []claims.Verdict) {
	decode("verdicts.json", &verdicts)
	for i, v := range verdicts {
		if v.Kind == "bound" && v.Outcome == claims.Holds {
			verdicts[i].Bounds = fixedBoundCells() // which JSON leaves out
		}
	}
	return verdicts
}

// fixedBoundCells are a cell of each kind and value of theta: the theorem applies from
// n = 500 on, and one cell has no value.
func fixedBoundCells() []claims.BoundCell {
	var cells []claims.BoundCell
	for _, theta := range []float64{0.5, 0.75} {
		for i, n := range []int{250, 500, 1000} {
			c := claims.BoundCell{At: fixedRow("nystrom", theta, n, 0).At, Applies: i > 0}
			if tight, trivial := 0.04*theta/float64(i*i+1), 2*theta/float64(i+1); i > 0 && (i < 2 || theta < 0.6) {
				c.Tightness, c.Trivial = &tight, &trivial
			}
			cells = append(cells, c)
		}
	}
	return cells
}

// fixedPlots are plots of [fixedRun], each kind once at least but for comparisons over problems, since
// it has one.
func fixedPlots() (plots []configs.Plot) {
	decode("plots.json", &plots)
	return plots
}

// decode reads a fixture of package report.
func decode(name string, into any) {
	text, err := os.ReadFile("testdata/fixture/" + name)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		panic(err)
	}
}

// keyOf is the key of columns with their values; what reads as a number is one.
func keyOf(parts ...string) (at results.Key) {
	for i := 0; i < len(parts); i += 2 {
		v := configs.TextOf(parts[i+1])
		if x, err := strconv.ParseFloat(parts[i+1], 64); err == nil {
			v = configs.NumberOf(x)
		}
		at = at.With(parts[i], v)
	}
	return at
}

// labels of methods.
var methodLabels = map[string]string{"ekpca": "empirical KPCA", "kpca": "population KPCA", "nystrom": "Nyström", "rff": "random features", "kjl": "K-JL", "gaussian-sketch": "Gaussian sketch", "kpca-subsample": "KPCA of a subsample"}

// metricInfos are what registries know of the metrics of fixtures.
func metricInfos() map[string]results.MetricInfo {
	zero, one := 0.0, 1.0
	infos := map[string]results.MetricInfo{
		"recon_h": {Label: "reconstruction error R", Better: "less", Least: &zero}, "recon_h_floor": {Label: "floor of R", Least: &zero},
		"recon_l2": {Label: "reconstruct-and-embed error T", Better: "less", Least: &zero},
		"rank":     {Label: "numerical rank"}, "rand": {Label: "Rand index, sample", Better: "more", Least: &zero, Most: &one},
		"adjusted_rand":  {Label: "adjusted Rand index, sample", Better: "more", Most: &one},
		"nmi_arithmetic": {Label: "NMI (arithmetic), sample", Better: "more", Least: &zero, Most: &one},
		"time_total":     {Label: "time of the fit", Unit: "s", Better: "less", Least: &zero}, "err": {}, "x": {},
		"time_factor": {Label: "time of factoring", Unit: "s", Better: "less", Least: &zero, Part: true},
	}
	infos["eigenvalue_1"] = results.MetricInfo{Label: "first eigenvalue"}
	return infos
}

// runOf is a run of rows with these variables, in canonical order. Its methods are those of
// the rows in the order of their names; none is a reference.
func runOf(variables []string, rows ...results.Row) results.Run {
	run := results.Run{Spec: &configs.Spec{}, Rows: rows, Catalog: results.Catalog{Methods: map[string]results.MethodInfo{}, Metrics: metricInfos()}}
	for _, name := range slices.Concat([]string{"dataset", "kernel", "method"}, variables) {
		run.Catalog.Columns = append(run.Catalog.Columns, results.Column{Name: name, Free: true})
	}
	for i := range rows {
		method := rows[i].Method()
		if _, known := run.Catalog.Methods[method]; !known && method != "" {
			run.Catalog.Methods[method] = results.MethodInfo{Use: method, Label: methodLabels[method]}
			run.Spec.Methods = append(run.Spec.Methods, configs.Component{ID: method})
		}
	}
	slices.SortFunc(run.Spec.Methods, func(a, b configs.Component) int { return strings.Compare(a.ID, b.ID) })
	sortRun(run)
	return run
}

// sortRun puts the rows of a run in canonical order.
func sortRun(run results.Run) {
	order := run.Order()
	slices.SortStableFunc(run.Rows, func(a, b results.Row) int {
		for _, column := range run.Catalog.Columns {
			if c := order(column.Name, a.At.Get(column.Name), b.At.Get(column.Name)); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.Repeat, b.Repeat)
	})
}

// completeRun has a run know its rows and so many that are missing.
func completeRun(run *results.Run, missing int) {
	run.Manifest.IDs = make([]string, len(run.Rows)+missing)
}

// emptyRun is a run of nothing.
func emptyRun() results.Run { return runOf(nil) }

// useMethods has the methods of a run be these, in their order: "id use", or an id that is the use.
func useMethods(run *results.Run, methods ...string) {
	run.Spec.Methods, run.Catalog.Methods = nil, map[string]results.MethodInfo{}
	for _, method := range methods {
		id, use, _ := strings.Cut(method, " ")
		use = cmp.Or(use, id)
		run.Spec.Methods = append(run.Spec.Methods, configs.Component{ID: id, Use: configs.Word{Value: use}})
		run.Catalog.Methods[id] = results.MethodInfo{Use: use, Label: methodLabels[use], Another: id != use && methodLabels[id] != ""}
	}
}
