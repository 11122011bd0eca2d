package cmd

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"mercer/results"
)

// houses are rows of a file of all sorts of columns: a number of the row, two coordinates, one of
// which lacks a value in rows 5 and 9, a word, a constant and a price.
func houses(rows int) (lines [][]string) {
	lines = append(lines, []string{"id", "area", "age", "town", "storeys", "price"})
	for i := range rows {
		area, age := 50+40*math.Sin(float64(i)), float64(i*7%23)
		line := []string{fmt.Sprint(i + 1), fmt.Sprintf("%.2f", area), fmt.Sprint(age), []string{"Ulm", "Bonn", "Kiel"}[i%3], "2", fmt.Sprintf("%.2f", area*(1-age/100))}
		if i == 5 || i == 9 {
			line[2] = "NA"
		}
		lines = append(lines, line)
	}
	return lines
}

// columns are some columns of a table, as a CSV file.
func columns(lines [][]string, names ...string) string {
	var b strings.Builder
	for _, line := range lines {
		var cells []string
		for i, cell := range line {
			for _, name := range names {
				if lines[0][i] == name {
					cells = append(cells, cell)
				}
			}
		}
		fmt.Fprintln(&b, strings.Join(cells, ","))
	}
	return b.String()
}

// TestInit: the spec of each task, and of files that are awkward, runs as it is written, and has a
// value of its measure in every row; or the file is refused with a way out, and nothing is written.
func TestInit(t *testing.T) {
	whole, thirty := houses(60), houses(30)
	_, points, _ := strings.Cut(columns(thirty, "area", "price"), "\n")
	for name, c := range map[string]struct {
		csv, args string
		says      []string // of what is printed
		spec      []string // lines of it
		metric    string   // empty where init refuses
	}{
		"regression": {
			columns(whole, "id", "area", "town", "storeys", "price"), "--response price",
			[]string{`left out: "id" numbers the rows`, `left out: "town" is no number (3 different; --label "town" predicts them)`, `left out: "storeys" is constant`},
			[]string{`response: "price"`, `drop: ["id", "town", "storeys"]`, "measure: [rmse, r2, chosen]", "# The 60 points"}, "rmse",
		},
		"classification": {columns(whole, "area", "town", "price"), "--label town", nil, []string{`label: "town"`, "measure: [class_error, chosen]", "bandwidth_times: [0.25, 0.5, 1, 2, 4]}"}, "class_error"},
		"two classes":    {columns(whole, "area", "storeys", "price") + "7,3,8\n7,3,8\n", "--label storeys", nil, []string{"measure: [class_error, auc, chosen]"}, "class_error"},
		"components":     {columns(whole, "area", "town", "price"), "--drop town", nil, []string{`drop: ["town"]`, "measure: [recon_l2]", "y: recon_l2_projection", "ell: 5"}, "recon_l2"},
		"clusters": {
			columns(whole, "area", "town", "price"), "--label 1 --compare kernel-kmeans,nystrom-embedding",
			nil, []string{"k: classes", "{id: kernel-kmeans, use: kernel-kmeans, restarts: 10}", "{id: nystrom-embedding, use: nystrom-embedding, rank: full, kmeans: {restarts: 10}}", "measure: [partition_cost, cluster_accuracy, nmi]"}, "partition_cost",
		},
		"clusters without a label": {columns(whole, "area", "price"), "--compare kmeans", nil, []string{"k: 3", `n: ["ceil(min(N, 2000)/4)", `, "x: n"}, "partition_cost"},
		"one solver":               {columns(whole, "area", "price"), "--response price --compare krr-pcg", nil, []string{"m: ["}, "rmse"},
		"compared":                 {columns(whole, "area", "price"), "--response price --compare krr-pcg,rff-krr", nil, []string{"{id: krr-pcg, use: krr-pcg, preconditioner: nystrom, tol: 1e-13, max_iter: 1000, choose: {", "{id: rff-krr, use: rff-krr, features: fourier, choose: {"}, "rmse"},
		"large":                    {columns(houses(600), "area", "price"), "", nil, []string{"population: {held_out: 100}"}, "recon_l2"},
		"30 rows":                  {columns(thirty, "area", "price"), "--response price", nil, nil, "r2"},
		"30 rows, components":      {columns(thirty, "area", "price"), "", nil, nil, "recon_l2"},
		"one column":               {columns(thirty, "area"), "", nil, nil, "recon_l2"},
		"no header":                {points, "--response -1", nil, []string{`response: "-1"`}, "rmse"},
		"a column without a name":  {strings.Replace(columns(whole, "id", "area", "price"), "id", "", 1), "--response price", []string{`left out: "" numbers the rows`}, []string{`drop: [""]`}, "rmse"},
		"one column, a row number": {columns(thirty, "id"), "", nil, nil, "recon_l2"},
		"missing, left out":        {columns(thirty, "area", "age", "price"), "--response price --drop age", nil, nil, "rmse"},

		"missing":                  {columns(thirty, "area", "age"), "", []string{`data.csv: line 7: column "age" has "NA", no number (so 2 of 30 rows)`, `--drop "age"`}, nil, ""},
		"missing response":         {columns(thirty, "area", "age"), "--response age", []string{`line 7: column "age" has "NA"`}, nil, ""},
		"missing label":            {strings.Replace(columns(thirty, "area", "town"), "Kiel", "", 1), "--label town", []string{`line 4: column "town" has "": every row needs a class`}, nil, ""},
		"a word as response":       {columns(thirty, "area", "town"), "--response town", []string{`line 2: column "town" has "Ulm", no number: --label "town"`}, nil, ""},
		"numbers as label":         {columns(thirty, "area", "price"), "--label price", []string{`has 30 classes or more: 2 to 15 are predicted; numbers are predicted as --response`}, nil, ""},
		"a constant response":      {columns(thirty, "area", "storeys"), "--response storeys", []string{"all responses are equal"}, nil, ""},
		"nothing beside":           {columns(thirty, "price"), "--response price", []string{"no column is left"}, nil, ""},
		"words alone":              {columns(thirty, "town", "storeys"), "", []string{`no coordinate is left: left out: "town"`, `"storeys" is constant`}, nil, ""},
		"few rows":                 {columns(houses(19), "area", "price"), "", []string{"19 rows: a spec is written for 20 or more"}, nil, ""},
		"no such column":           {columns(thirty, "area", "price"), "--response cost", []string{`response: there is no column "cost"`}, nil, ""},
		"nothing to predict":       {columns(thirty, "area"), "--compare krr", []string{"krr predicts: name the column"}, nil, ""},
		"a response of components": {columns(thirty, "area", "price"), "--response price --compare nystrom", []string{"nystrom is for components; --response is for regression"}, nil, ""},
		"of two kinds":             {columns(thirty, "area"), "--compare nystrom,kmeans", []string{"nystrom is for components, and kmeans for clusters"}, nil, ""},
		"a program by name":        {columns(thirty, "area"), "--compare exec", []string{"--program"}, nil, ""},
		"a misspelt method":        {columns(thirty, "area"), "--compare nistrom", []string{`did you mean "nystrom"`}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("data.csv", []byte(c.csv), 0o600); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			code := Main(append([]string{"init", "--csv", "data.csv"}, strings.Fields(c.args)...), nil, &out, &out)
			for _, want := range c.says {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in\n%s", want, out.String())
				}
			}
			spec, err := os.ReadFile("data.yaml")
			if c.metric == "" {
				if code != exitUsage || err == nil {
					t.Errorf("exit code %d, want %d and no spec: %v\n%s", code, exitUsage, err, out.String())
				}
				return
			}
			if code != exitOK || err != nil {
				t.Fatalf("exit code %d: %v\n%s", code, err, out.String())
			}
			for _, want := range c.spec {
				if !strings.Contains(string(spec), want) {
					t.Errorf("no %q in\n%s", want, spec)
				}
			}
			succeeds(t, "run", "data.yaml", "--profile", "smoke", "--strict", "--quiet", "--out", "run")
			run, err := results.Load("run")
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range run.Rows {
				if _, ok := row.Metrics[c.metric]; !ok {
					t.Errorf("%s: no %s: %s", row.At, c.metric, row.Reason)
				}
			}
		})
	}
}
