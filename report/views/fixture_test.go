package views

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/results"
)

// noiseAt is a fixed number in [-1, 1] that looks random.
func noiseAt(i int) float64 { return math.Sin(float64(i*i)*12.9898 + 4.1) }

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

// emptyRun is a run of nothing.
func emptyRun() results.Run { return runOf(nil) }
