package reporttest

import (
	"fmt"

	"mercer/internal/sizes"
	"mercer/results"
)

// BudgetRun has methods a, b, c at m = 10, 20, 40, of cost m seconds, on the data
// sets that factor names, where it gives the error of each at m = 1; per m it
// falls as 1/m. Noise is a thousandth and fixed.
func BudgetRun(factor map[string]map[string]float64, repeats int, change func(r *results.Record)) results.Run {
	run := results.Run{Manifest: results.Manifest{Variables: []string{"m"}, Repeats: repeats, Datasets: map[string]results.DatasetInfo{}}}
	for dataset, of := range factor {
		run.Manifest.Datasets[dataset] = results.DatasetInfo{}
		for _, method := range []string{"a", "b", "c"} {
			for _, m := range []int{10, 20, 40} {
				for repeat := range repeats {
					e := of[method] / float64(m) * (1 + 0.001*Noise(m+7*repeat+100*int(method[0])))
					r := results.Record{Key: fmt.Sprint(dataset, method, m, repeat), Dataset: dataset, Kernel: "rbf", Method: method, Sizes: sizes.Sizes{M: m},
						Point: map[string]float64{"m": float64(m)}, Work: fmt.Sprint(m), Repeat: repeat, Status: results.OK,
						Metrics: results.NewMetrics(map[string]results.Metric{"err": {Value: e}, "time_total": {Value: float64(m) / 100, Unit: "s"}})}
					if change != nil {
						change(&r)
					}
					run.Records = append(run.Records, r)
				}
			}
		}
	}
	results.SortRecords(run.Records, run.Manifest.Variables)
	return run
}
