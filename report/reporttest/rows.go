package reporttest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"mercer/configs"
	"mercer/results"
)

// At is the key of columns with their values; what reads as a number is one.
func At(parts ...string) (at results.Key) {
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
var labels = map[string]string{"ekpca": "empirical KPCA", "kpca": "population KPCA", "nystrom": "Nyström", "rff": "random features", "kjl": "K-JL", "gaussian-sketch": "Gaussian sketch", "kpca-subsample": "KPCA of a subsample"}

// Metrics are what registries know of the metrics of fixtures.
func Metrics() map[string]results.MetricInfo {
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

// RunOf is a run of rows with these variables, in canonical order. Its methods are those of
// the rows in the order of their names; none is a reference.
func RunOf(variables []string, rows ...results.Row) results.Run {
	run := results.Run{Spec: &configs.Spec{}, Rows: rows, Catalog: results.Catalog{Methods: map[string]results.MethodInfo{}, Metrics: Metrics()}}
	for _, name := range slices.Concat([]string{"dataset", "kernel", "method"}, variables) {
		run.Catalog.Columns = append(run.Catalog.Columns, results.Column{Name: name, Free: true})
	}
	for i := range rows {
		method := rows[i].Method()
		if _, known := run.Catalog.Methods[method]; !known && method != "" {
			run.Catalog.Methods[method] = results.MethodInfo{Use: method, Label: labels[method]}
			run.Spec.Methods = append(run.Spec.Methods, configs.Component{ID: method})
		}
	}
	slices.SortFunc(run.Spec.Methods, func(a, b configs.Component) int { return strings.Compare(a.ID, b.ID) })
	Sort(run)
	return run
}

// Sort puts the rows of a run in canonical order.
func Sort(run results.Run) {
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

// Complete has a run know its rows and so many that are missing.
func Complete(run *results.Run, missing int) {
	run.Manifest.IDs = make([]string, len(run.Rows)+missing)
}

// Empty is a run of nothing.
func Empty() results.Run { return RunOf(nil) }

// Label gives names of a run labels.
func Label(run *results.Run, labels map[string]string) {
	run.Spec.Labels = configs.Keyed[string]{}
	for name, label := range labels {
		run.Spec.Labels[name] = configs.Located[string]{Value: label}
	}
}

// Use has the methods of a run be these, in their order: "id use", or an id that is the use.
func Use(run *results.Run, methods ...string) {
	run.Spec.Methods, run.Catalog.Methods = nil, map[string]results.MethodInfo{}
	for _, method := range methods {
		id, use, _ := strings.Cut(method, " ")
		use = cmp.Or(use, id)
		run.Spec.Methods = append(run.Spec.Methods, configs.Component{ID: id, Use: configs.Word{Value: use}})
		run.Catalog.Methods[id] = results.MethodInfo{Use: use, Label: labels[use], Another: id != use && labels[id] != ""}
	}
}

// Labelled is a run of these methods, see [Use], with these labels.
func Labelled(given map[string]string, methods ...string) results.Run {
	run := Empty()
	Use(&run, methods...)
	Label(&run, given)
	return run
}
