package reporttest

import (
	"fmt"
	"math"
	"slices"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/theory"
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
	Complete(&run, 2)
	m.IDs = run.Manifest.IDs
	run.Dir, run.Manifest, run.Warnings = "results/nystrom-rates/smoke", m, []string{"records.jsonl: a torn last line was dropped"}
	run.Catalog.Methods["kjl"] = results.MethodInfo{Use: "kjl", Label: labels["kjl"]}
	spec := run.Spec
	spec.Name, spec.Title, spec.Seed = "nystrom-rates", "Nyström keeps the rate | of KPCA <really>", 7
	spec.Source, spec.Question = "A paper, Cor 4.2 & 4.5", "Does m = n^theta * log(n) suffice?\nAnd for which theta?"
	spec.Notes = []string{"The paper divides by n | here it is n-1.\nSo numbers differ *slightly*.", "# The paper's m is ours."}
	for _, name := range []string{"n", "theta", "m"} {
		spec.Grid.Factors = append(spec.Grid.Factors, configs.Variables{{Name: name}})
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
	r.Metrics = results.NewMetrics(map[string]float64{
		"recon_h":       floor * level * (1 + 0.02*Noise(seed)) * (1 + 0.001*Noise(seed+len(method))),
		"recon_h_floor": floor,
		"rank":          float64(size),
		"time_total":    0.01 * float64(n) * (1 + 0.1*Noise(seed+5)),
	})
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

func FixedVerdicts() []claims.Verdict {
	inconclusive := FixedSlope("0.75", -0.36, -0.375, claims.Inconclusive)
	inconclusive.Settle = "about 12 repeats in place of 4"
	low, middle, high, least := -0.4951, -0.2549, 1.2712, 0.002
	inconclusive.Detectable = &claims.Detectable{Low: &low, High: &middle}
	ratio := claims.Verdict{Claim: "as-good-as-exact", Kind: "ratio", Says: "Nyström loses at most a constant factor",
		Group: At("dataset", "poly2", "kernel", "series", "method", "nystrom/ekpca"), Outcome: claims.Violated, Of: "recon_h",
		Estimate: 1.31, Low: 1.29, High: 1.33, Level: 0.95, Relation: "<=", Target: 1.25, Repeats: 4, Reason: "ratio 1.31 at n=250 contradicts <= 1.25 (p = 0.002)", Detectable: &claims.Detectable{High: &high}, P: &least}
	for i := range 15 {
		c := claims.CellOutcome{Cell: At("n", fmt.Sprint(100+i)), Outcome: claims.Holds, Estimate: 1.1 + 0.01*float64(i), Low: 1.05, High: 1.2 + 0.01*float64(i), Target: 1.25, Repeats: 4, P: 1}
		switch {
		case i == 3:
			c.Outcome, c.P, c.Estimate, c.Low, c.High = claims.Violated, 0.002, 1.31, 1.29, 1.33
		case i == 7:
			c.Outcome, c.Estimate, c.Low, c.High, c.Repeats = claims.Inconclusive, math.NaN(), math.NaN(), math.NaN(), 0
		}
		ratio.Cells = append(ratio.Cells, c)
	}
	each := claims.Verdict{Claim: "above-floor", Kind: "value", Group: At("dataset", "poly2", "kernel", "series", "method", "rff"),
		Outcome: claims.Holds, Of: "recon_h / recon_h_floor", Estimate: 1.28, Low: 1.28, High: 1.34, Level: 1, Relation: ">=", Target: 1, Repeats: 3,
		Reason: "all records lie inside >= 1"}
	nothing := claims.Verdict{Claim: "no-such", Kind: "slope", Outcome: claims.Inconclusive, Of: "recon_h", Over: "n", Level: 0.95,
		Estimate: math.NaN(), Low: math.NaN(), High: math.NaN(), Target: math.NaN(), Reason: "no record has method=none",
		Settle: "check the claim's where against the run's grid and profile"}
	list := []claims.Verdict{FixedSlope("0.5", -0.262, -0.25, claims.Holds), inconclusive, ratio, each, nothing}
	return append(list, fixedBounds()...)
}

// fixedBounds are a bound that holds, one that says nothing, one that applies to no cell, and one with
// an open parameter.
func fixedBounds() []claims.Verdict {
	tight, left, right := 0.0341, 0.0123, 0.25
	condition := func(holds bool) theory.Evaluation {
		return theory.Evaluation{Text: "140κ/n·log(16κn/δ) = 0.0123 ≤ ‖Σ‖ = 0.25", Holds: holds, Left: "140κ/n·log(16κn/δ)", L: &left, Relation: "≤", Right: "‖Σ‖", R: &right}
	}
	holds := claims.Verdict{Claim: "thm-4.1-iii", Kind: "bound", Theorem: "nyk-4.1-iii", Says: "R of Nyström KPCA is bounded",
		Group: At("dataset", "poly2", "kernel", "series", "method", "nystrom"), Outcome: claims.Holds, Of: "recon_h",
		Estimate: 1, Low: 0.9513, High: 1, Level: 0.95, Relation: ">=", Target: 0.95, Repeats: 60,
		Reason: "in all 2 cells the coverage is at least 0.95, as claimed", Tightness: &tight,
		Conditions: &claims.Conditions{Cell: At("n", "20000"), Applicable: 2, Cells: 3, List: []theory.Evaluation{condition(true)}}}
	for _, n := range []string{"20000", "40000"} {
		holds.Cells = append(holds.Cells, claims.CellOutcome{Cell: At("n", n), Outcome: claims.Holds, Estimate: 1, Low: 0.9513, High: 1, Target: 0.95, Repeats: 60, P: 1, Tightness: &tight})
	}
	holds.Bounds = fixedBoundCells()
	low, high, trivial := 1.37, 14.9, claims.Trivial{Formula: "tr Σ", Says: "the zero projection", Cells: 2, Vacuous: 2}
	trivial.Low, trivial.High = &low, &high
	vacuous := holds
	vacuous.Claim, vacuous.Vacuous, vacuous.Trivial = "thm-4.1-ii", true, &trivial
	vacuous.Reason += "; the bound is vacuous: it is 1.37 to 14.9 times the trivial value tr Σ"
	vacuous.Cells = slices.Clone(holds.Cells)
	for i, ratio := range []*float64{&high, &low} {
		vacuous.Cells[i].Vacuous, vacuous.Cells[i].Trivial = true, ratio
	}
	nan := math.NaN()
	none := claims.Verdict{Claim: "thm-4.1-iii", Kind: "bound", Theorem: "nyk-4.1-iii", Group: At("dataset", "poly2", "kernel", "series", "method", "rff"),
		Outcome: claims.NotApplicable, Of: "recon_h", Estimate: nan, Low: nan, High: nan, Level: 0.95, Relation: ">=", Target: 0.95,
		Reason:     "does not apply here: n=4000: the first condition fails",
		Conditions: &claims.Conditions{Cell: At("n", "4000"), Cells: 1, List: []theory.Evaluation{condition(false)}}}
	open := claims.Verdict{Claim: "kjl-1", Kind: "bound", Theorem: "kjl-1", Group: At("dataset", "poly2", "kernel", "series", "method", "kjl"),
		Outcome: claims.Inconclusive, Of: "kjl_op", Estimate: nan, Low: nan, High: nan, Level: 0.95, Relation: ">=", Target: 0.95,
		Reason: "KJL Thm 1 leaves c open", Settle: "give it", Parameter: &claims.Parameter{Name: "c", Smallest: 0.37}}
	return []claims.Verdict{holds, none, open, vacuous}
}

// fixedBoundCells are a cell of each kind and value of theta: the theorem applies from
// n = 500 on, and one cell has no value.
func fixedBoundCells() []claims.BoundCell {
	var cells []claims.BoundCell
	for _, theta := range []float64{0.5, 0.75} {
		for i, n := range []int{250, 500, 1000} {
			c := claims.BoundCell{At: FixedRow("nystrom", theta, n, 0).At, Applies: i > 0}
			if tight, trivial, factor := 0.04*theta/float64(i*i+1), 2*theta/float64(i+1), 0.05*theta/float64(i*i+1); i > 0 && (i < 2 || theta < 0.6) {
				c.Tightness, c.Trivial, c.Factor = &tight, &trivial, &factor
			}
			cells = append(cells, c)
		}
	}
	return cells
}
