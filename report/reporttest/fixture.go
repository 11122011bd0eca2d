package reporttest

import (
	"embed"
	"encoding/json"
	"fmt"
	"math"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/results"
)

// Noise is a fixed number in [-1, 1] that looks random.
func Noise(i int) float64 { return math.Sin(float64(i*i)*12.9898 + 4.1) }

// FixedRun is a small run with everything a report has to tell: three methods,
// two data sets' worth of variables, warnings, failures, skipped and missing
// records, a numbered family and times.
func FixedRun() results.Run {
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
					rows = append(rows, FixedRow(method, theta, n, repeat))
				}
			}
		}
	}
	run := RunOf([]string{"n", "theta", "m"}, rows...)
	run.Catalog.Columns[len(run.Catalog.Columns)-1].Free = false // m is ceil(n^theta)
	Complete(&run, 2)
	m.IDs = run.Manifest.IDs
	run.Dir, run.Manifest, run.Warnings = "results/nystrom-rates/smoke", m, []string{"records.jsonl: a torn last line was dropped"}
	run.Catalog.Methods["kjl"] = results.MethodInfo{Use: "kjl", Label: labels["kjl"]}
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

func FixedRow(method string, theta float64, n, repeat int) results.Row {
	size := int(math.Ceil(math.Pow(float64(n), theta)))
	m := size
	if method == "rff" {
		m = 2 * size
	}
	r := results.Row{Schema: results.SchemaVersion, ID: fmt.Sprint(method, theta, n, repeat), Population: "p",
		At:     At("dataset", "poly2", "kernel", "series", "method", method, "n", fmt.Sprint(n), "theta", fmt.Sprint(theta), "m", fmt.Sprint(m)),
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
	r.Metrics = map[string]float64{
		"recon_h":       floor * level * (1 + 0.02*Noise(seed)) * (1 + 0.001*Noise(seed+len(method))),
		"recon_h_floor": floor,
		"rank":          float64(size),
		"time_total":    0.01 * float64(n) * (1 + 0.1*Noise(seed+5)),
	}
	for i := 1; i <= 5; i++ {
		r.Metrics.Set(fmt.Sprintf("eigenvalue_%d", i), math.Pow(float64(i), -2)*1e-6*(1+0.01*Noise(seed+i)))
	}
	return r
}

// FixedSlope is a slope verdict with points that follow it.
func FixedSlope(theta string, slope, target float64, outcome claims.Outcome) claims.Verdict {
	v := claims.Verdict{Claim: "cor-4.2-iii", Kind: "slope", Says: "R decays as n^(-θ(1-1/α)) once m ≥ n^θ log n", Source: "Cor 4.2",
		Group:   At("dataset", "poly2", "kernel", "series", "method", "nystrom", "theta", theta),
		Outcome: outcome, Of: "recon_h", Over: "n", Estimate: slope, Low: slope - 0.0123, High: slope + 0.0123, Level: 0.95,
		Relation: "=", Target: target, Within: 0.08, Repeats: 4, Reason: "slope, interval and band | say so",
		Notes: []string{"the exact floor recon_h_floor has slope -0.251 over the same points"}}
	for i, n := range []float64{250, 500, 1000} {
		y := 1.3 * math.Pow(n, slope)
		floor := math.Pow(n, target)
		p := claims.Point{X: n, Y: y * (1 + 0.02*Noise(i)), Low: y * 0.95, High: y * 1.06, Floor: &floor, Fit: y,
			Theory: 1.3 * math.Pow(500, slope) * math.Pow(n/500, target)}
		if i > 0 {
			local := slope + 0.01*Noise(i)
			p.Local = &local
		}
		v.Points = append(v.Points, p)
	}
	return v
}

// FixedVerdicts are verdicts of each kind and outcome: slopes, a ratio with a cell that is violated and
// one without an estimate, a value of which each row is judged, a claim that picks nothing, and bounds
// that hold, apply to no cell, have an open parameter, and say nothing.
func FixedVerdicts() (verdicts []claims.Verdict) {
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
			c := claims.BoundCell{At: FixedRow("nystrom", theta, n, 0).At, Applies: i > 0}
			if tight, trivial := 0.04*theta/float64(i*i+1), 2*theta/float64(i+1); i > 0 && (i < 2 || theta < 0.6) {
				c.Tightness, c.Trivial = &tight, &trivial
			}
			cells = append(cells, c)
		}
	}
	return cells
}

// FixedPlots are plots of [FixedRun], each kind once at least but for comparisons over problems, since
// it has one.
func FixedPlots() (plots []configs.Plot) {
	decode("plots.json", &plots)
	return plots
}

//go:embed verdicts.json plots.json
var files embed.FS

func decode(name string, into any) {
	text, err := files.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		panic(err) // compiled in
	}
}
