package cmd

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// figureExperiments are those of the papers' figures and the study beside them;
// the Makefile's FIGURES are the same.
var figureExperiments = []string{"kjl-fig1", "kjl-table2", "kjl-fig2", "skp-fig2", "kkm-fig1", "kkm-fig2", "comparative"}

// TestFigures runs the smoke profile of each figure on its real data and holds it
// against its reference; data that cannot be had are told, and their part skips.
func TestFigures(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join("..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "FIGURES = " + strings.Join(figureExperiments, " ") + "\n"; !strings.Contains(string(makefile), want) {
		t.Errorf("the Makefile does not have %q", want)
	}
	if own := os.Getenv("MERCER_TEST_DATA"); own != "" && os.Getenv("MERCER_DATA") == "" {
		t.Setenv("MERCER_DATA", own)
	}
	root := t.TempDir()
	for _, name := range figureExperiments {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if code := Main([]string{"run", name, "--profile", "smoke", "--results", root, "--skip-missing-data"}, nil, &out, &errs); code != 0 {
				t.Fatalf("exit code %d: %s%s", code, &out, &errs)
			}
			for line := range strings.Lines(errs.String()) {
				if strings.Contains(line, "is skipped") {
					t.Log("SKIPPED in part: " + line)
				}
			}
			dir := filepath.Join(root, name, "smoke")
			for _, want := range []string{"report/index.html", "report/figures/plot-*.svg", "report/tables/plot-*.csv"} {
				if found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(want))); err != nil || len(found) == 0 {
					// Without its data an experiment has no plot.
					if !strings.Contains(errs.String(), "is skipped") {
						t.Errorf("no %s", want)
					}
				}
			}
			out.Reset()
			if code := Main([]string{"compare", filepath.Join("..", "results", "reference", name, "smoke.jsonl"), dir}, nil, &out, &errs); code != 0 {
				t.Error(fmt.Sprintf("exit code %d of compare: ", code) + out.String() + errs.String())
			}
		})
	}
}
