package results_test

import (
	"fmt"
	"strings"

	"mercer/configs/source"
	"mercer/report/reporttest"
	"mercer/results"
)

// Rows of a run, picked as the where of a claim picks them. A program reads its run by
// results.Load("results/wine/paper").
func ExampleRun_Select() {
	row := func(at string, repeat int, rmse float64) results.Row {
		return results.Row{At: reporttest.At(strings.Fields(at)...), Repeat: repeat, Status: results.OK, Metrics: results.Metrics{"rmse": rmse}}
	}
	run := reporttest.RunOf([]string{"m"}, row("method krr m 10", 0, 0.5), row("method nystrom m 10", 0, 0.75), row("method nystrom m 10", 1, 1), row("method nystrom m 20", 0, 0.5))

	where, err := source.Conditions("method: nystrom, m: [10, 40]")
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := run.Select(where)
	for _, row := range rows {
		fmt.Println(row.At, row.Repeat, row.Metrics["rmse"])
	}
	fmt.Println(err)
	// Output:
	// method=nystrom m=10 0 0.75
	// method=nystrom m=10 1 1
	// <nil>
}
