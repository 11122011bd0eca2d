package report

import (
	"strings"
	"testing"

	"mercer/report/format"
	"mercer/report/reporttest"
)

// The files of the plots: those of the golden folder, linked in the report.
func TestPlotFiles(t *testing.T) {
	run := reporttest.FixedRun()
	dir := t.TempDir()
	_, err := Write(dir, run, reporttest.FixedVerdicts(), reporttest.FixedPlots(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := tree(t, dir)
	report := got[format.ReportFile]
	from, to := strings.Index(report, "## Figures"), strings.Index(report, "## Claim")
	if from < strings.Index(report, "## Verdicts") || to < from {
		t.Fatal("the figures do not stand between verdicts and claims")
	}
	golden(t, "plots/figures.md", report[from:to])
	plots := 0
	for name, text := range got {
		if table, ok := strings.CutPrefix(name, "tables/plot-"); ok {
			golden(t, "plots/plot-"+table, text)
		}
		if strings.Contains(name, "/plot-") {
			plots++
			if !strings.Contains(report, "]("+name+")") {
				t.Errorf("%s is not linked", name)
			}
		}
	}
	if plots != 20 { // five plots can be drawn
		t.Errorf("%d files of plots", plots)
	}
}
