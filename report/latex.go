package report

import (
	"fmt"
	"io"

	"mercer/report/sections"
	"mercer/results"
)

// WriteLatex writes the tables of measurements of a run for a LaTeX document that
// has \usepackage{booktabs}: one a metric, data set and kernel, with mean ±
// half-width of the 95 % t interval and the best of a row in bold, as in the
// report. Without names all metrics are written; a name that the run does not have,
// or that is given twice, is an error.
func WriteLatex(w io.Writer, run results.Run, names []string) error {
	run.Records = results.Sorted(run.Records, run.Manifest.Variables)
	if _, err := results.OnlyMetrics(run, names); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if len(names) == 0 {
		names = sections.MetricsOf(run.Records)
	}
	_, err := io.WriteString(w, sections.MeasurementTables(run, names).Latex(sections.LatexHead(run)))
	return err
}
