package report

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/sizes"
	"mercer/results"
)

// orderSpec lists methods and data sets in no order of names.
const orderSpec = `
datasets: [{id: ocean}, {id: cloud}]
methods: [{id: nystrom}, {id: rff}, {id: kjl}]
`

// TestOrderOfTheSpec: figures, pages, LaTeX tables and the terminal list data sets and
// methods as the spec does.
func TestOrderOfTheSpec(t *testing.T) {
	run := results.Run{Manifest: results.Manifest{Spec: orderSpec, Variables: []string{"n"}}}
	for _, dataset := range []string{"cloud", "ocean"} {
		for _, method := range []string{"kjl", "nystrom", "rff"} {
			for n := 50; n <= 100; n += 50 {
				for repeat := range 3 {
					run.Rows = append(run.Rows, results.Row{Key: dataset + method, Dataset: dataset, Kernel: "rbf", Method: method, Sizes: sizes.Sizes{N: n},
						Point: map[string]float64{"n": float64(n)}, Repeat: repeat, Status: results.OK,
						Metrics: results.NewMetrics(map[string]float64{"recon_h": {Value: 1 + float64(len(method)) + float64(repeat+n)/10}})})
				}
			}
		}
	}
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
	texts["LaTeX"], texts["terminal"] = latex.Bytes(), []byte(MeansTable(run, []string{"recon_h"}, plainTable))
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
