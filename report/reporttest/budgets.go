package reporttest

import (
	"fmt"

	"mercer/results"
)

// BudgetRun has methods a, b, c at m = 10, 20, 40, of cost m seconds, on the data
// sets that factor names, where it gives the error of each at m = 1; per m it
// falls as 1/m. Noise is a thousandth and fixed.
func BudgetRun(factor map[string]map[string]float64, repeats int, change func(r *results.Row)) results.Run {
	var rows []results.Row
	for dataset, of := range factor {
		for _, method := range []string{"a", "b", "c"} {
			for _, m := range []int{10, 20, 40} {
				for repeat := range repeats {
					e := of[method] / float64(m) * (1 + 0.001*Noise(m+7*repeat+100*int(method[0])))
					r := results.Row{ID: fmt.Sprint(dataset, method, m, repeat), At: At("dataset", dataset, "kernel", "rbf", "method", method, "m", fmt.Sprint(m)),
						Repeat: repeat, Status: results.OK, Metrics: results.NewMetrics(map[string]float64{"err": e, "time_total": float64(m) / 100})}
					if change != nil {
						change(&r)
					}
					rows = append(rows, r)
				}
			}
		}
	}
	run := RunOf([]string{"m"}, rows...)
	run.Manifest.Repeats = repeats
	return run
}
