package results

import "mercer/configs"

// AlongIterations has in place of each row with series a row for each iteration: its metrics
// are their values there, and its columns have one more, [configs.Iteration]. A solver that
// has stopped stays at its last values for as long as others of its cell go on, so that each
// iteration has all repeats.
func AlongIterations(rows []*Row) (all []*Row) {
	for _, cell := range Cells(rows) {
		count := 0
		for _, r := range cell.Rows {
			for _, values := range r.Series {
				count = max(count, len(values))
			}
		}
		for _, r := range cell.Rows {
			if len(r.Series) == 0 {
				all = append(all, r)
				continue
			}
			for t := range count {
				at := *r
				at.At, at.Metrics = r.At.With(configs.Iteration, configs.NumberOf(float64(t))), Metrics{}
				for name, values := range r.Series {
					at.Metrics[name] = values[min(t, len(values)-1)]
				}
				all = append(all, &at)
			}
		}
	}
	return all
}
