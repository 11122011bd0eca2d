package report

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/report/format"
	"mercer/report/reporttest"
)

// The files of the plots: those of the golden folder, linked in the report, the
// same in every run, and gone with their plot.
func TestPlotFiles(t *testing.T) {
	run := reporttest.FixedRun()
	dir := t.TempDir()
	files, err := Write(dir, run, reporttest.FixedVerdicts(), reporttest.FixedPlots())
	if err != nil {
		t.Fatal(err)
	}
	got := tree(t, dir)
	golden := map[string]string{}
	report := got[format.ReportFile]
	from, to := strings.Index(report, "## Figures"), strings.Index(report, "## Claim")
	if from < strings.Index(report, "## Verdicts") || to < from {
		t.Fatal("the figures do not stand between verdicts and claims")
	}
	golden["figures.md"] = report[from:to]
	figures := 0
	for name, text := range got {
		if strings.HasPrefix(name, "tables/plot-") {
			golden[strings.TrimPrefix(name, "tables/")] = text
			if rows, err := csv.NewReader(strings.NewReader(text)).ReadAll(); err != nil || len(rows) < 2 {
				t.Errorf("%s: %d rows, %v", name, len(rows), err)
			}
		}
		if strings.Contains(name, "/plot-") {
			figures++
			if !strings.Contains(report, "]("+name+")") {
				t.Errorf("%s is not linked", name)
			}
		}
	}
	if figures != 15 || len(files.Figures) != 10+12 { // five plots can be drawn
		t.Errorf("%d files of plots, %d figures", figures, len(files.Figures))
	}
	for name, text := range golden {
		path := filepath.Join("testdata", "golden", "plots", name)
		if *update {
			if err := writeFile(path, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), text); diff != "" {
			t.Errorf("%s differs from testdata; -update writes it anew (-want +got):\n%s", name, diff)
		}
	}
	slices.Reverse(run.Records)
	if _, err := Write(dir, run, reporttest.FixedVerdicts(), reporttest.FixedPlots()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, tree(t, dir)); diff != "" {
		t.Error("a second report differs")
	}
	if _, err := Write(dir, run, reporttest.FixedVerdicts(), reporttest.FixedPlots()[1:2]); err != nil {
		t.Fatal(err)
	}
	left := 0
	for name := range tree(t, dir) {
		if strings.Contains(name, "/plot-") {
			left++
		}
	}
	if left != 3 {
		t.Errorf("%d files of one plot", left)
	}
}
