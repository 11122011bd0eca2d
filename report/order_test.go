package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/report/reporttest"
	"mercer/report/views"
	"mercer/results"
)

// TestOrderOfTheSpec: figures, pages, LaTeX tables and the terminal list data sets and
// methods as the spec does.
func TestOrderOfTheSpec(t *testing.T) {
	var rows []results.Row
	for _, dataset := range []string{"cloud", "ocean"} {
		for _, method := range []string{"kjl", "nystrom", "rff"} {
			for n := 50; n <= 100; n += 50 {
				for repeat := range 3 {
					rows = append(rows, results.Row{ID: dataset + method, At: reporttest.At("dataset", dataset, "kernel", "rbf", "method", method, "n", fmt.Sprint(n)),
						Repeat: repeat, Status: results.OK, Metrics: map[string]float64{"recon_h": 1 + float64(len(method)) + float64(repeat+n)/10}})
				}
			}
		}
	}
	run := reporttest.RunOf([]string{"n"}, rows...)
	run.Spec.Datasets = []configs.Component{{ID: "ocean"}, {ID: "cloud"}}
	run.Spec.Methods = []configs.Component{{ID: "nystrom"}, {ID: "rff"}, {ID: "kjl"}}
	run.Spec.Measure, run.Catalog.Measures = configs.Measures{Words: configs.Words{{Value: "recon"}}}, map[string][]string{"recon": {"recon_h"}}
	reporttest.Sort(run)
	plot := configs.Plot{ID: "course", Kind: configs.PlotLine, X: configs.NewQuantity("n"), Y: configs.NewQuantity("recon_h")}
	dir := t.TempDir()
	if _, err := Write(dir, run, []claims.Verdict{}, []configs.Plot{plot}, nil); err != nil {
		t.Fatal(err)
	}
	texts := map[string][]byte{}
	for _, name := range []string{"report.md", "tables/plot-course.csv"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = text
	}
	texts["report.md"] = texts["report.md"][bytes.Index(texts["report.md"], []byte("Measurements")):]
	var latex bytes.Buffer
	if err := WriteLatex(&latex, run, nil); err != nil {
		t.Fatal(err)
	}
	texts["LaTeX"], texts["terminal"] = latex.Bytes(), []byte(Terminal(views.New(run, nil, nil), plainTable))
	for name, text := range texts {
		for label, id := range map[string]string{"Nyström": "nystrom", "random features": "rff", `random\\features`: "rff", "K-JL": "kjl"} {
			text = bytes.ReplaceAll(text, []byte(label), []byte(id))
		}
		for _, words := range [][]string{{"ocean", "cloud"}, {"nystrom", "rff", "kjl"}} {
			var at []int
			for _, word := range words {
				at = append(at, bytes.Index(text, []byte(word)))
			}
			if at[0] < 0 || !slices.IsSorted(at) {
				t.Errorf("%s has not the order %v of the spec:\n%s", name, words, text)
			}
		}
	}
}
