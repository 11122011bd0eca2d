package configs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var ignorePlaces = cmp.Options{
	cmpopts.IgnoreTypes(Pos{}),
	cmp.Comparer(func(v, w Value) bool { return v.Text == w.Text }),
	cmp.Comparer(func(q, r Quantity) bool { return q.Text == r.Text }),
}

func words(texts ...string) Words {
	list := Words{}
	for _, text := range texts {
		list = append(list, Word{Value: text})
	}
	return list
}

func q(text string) Quantity { return Quantity{Text: text} }

func load(t testing.TB, name string) *Spec {
	t.Helper()
	file := "testdata/good/" + name
	text, err := ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEverything(t *testing.T) {
	s := load(t, "everything.yaml")
	value := func(text string) *Value { return &Value{Text: text} }
	params := func(kind, id, text string) Params {
		p, err := ParamsFrom(kind, id, text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	values := func(texts ...string) []Value {
		var all []Value
		for _, text := range texts {
			all = append(all, Value{Text: text})
		}
		return all
	}
	want := &Spec{
		Name: "everything", Title: "Every key of a spec", Source: "none", Question: "does it decode?",
		Notes: []string{"the first", "the second: with a colon"},
		Seed:  18446744073709551615, Repeats: Located[int]{Value: 20},
		Datasets: []Component{
			{Kind: "dataset", ID: "poly2", Use: Word{Value: "series"}, Params: params("dataset", "poly2", "decay: {power: 2}")},
			{Kind: "dataset", ID: "pts", Use: Word{Value: "csv"}, Params: params("dataset", "pts", "path: points.csv")},
		},
		Kernels: []Component{{Kind: "kernel", ID: "wide", Use: Word{Value: "gaussian"}, Params: params("kernel", "wide", "bandwidth: {rms: 1}")}},
		Grid: Grid{
			Vars:     Variables{{Name: "n", Values: values("100", "1e3", "2*k")}, {Name: "k", Values: values("400")}, {Name: "theta", Values: values("0.5", "0.75")}},
			Zip:      []Variables{{{Name: "m", Values: values("10", "n/10")}, {Name: "d", Values: values("2", "3")}}, {{Name: "ell", Values: values("1")}}},
			ZipAfter: 2,
			Skip:     values("m > n", "d == 3 and theta > 0.6"),
		},
		Methods: []Component{
			{Kind: "method", ID: "exact", Use: Word{Value: "ekpca"}},
			{Kind: "method", ID: "nys", Use: Word{Value: "nystrom"}, Sizes: map[string]Value{"m": *value("ceil(n/20)"), "ell": *value("2")}},
			{Kind: "method", ID: "rff.2", Use: Word{Value: "rff"}, Params: params("method", "rff.2", "features: [1, 2]")},
		},
		Measure: words("recon_h", "time"),
		Claims: []Claim{
			{ID: "slope-1", Says: "it falls", Source: "Thm 1", Slope: &Slope{
				Of: q("recon_h / recon_h_floor"), Over: Word{Value: "n"}, Equals: value("-theta"), Within: value("0.1"), Judgement: Judgement{0.9},
				Selection: Selection{By: words("theta"), Where: Conditions{
					"method": {Value: []string{"nys", "exact"}}, "dataset": {Value: []string{"poly2"}}, "n": {Value: []string{"100", "1000"}}, "theta": {Value: []string{"0.5"}},
				}},
			}},
			{ID: "ratio-1", Theorem: Word{Value: "nyk-4.5"}, Ratio: &Ratio{Of: q("recon_h"), Method: Word{Value: "nys"}, To: Word{Value: "exact"}, AtMost: value("1 + 1/theta"), Judgement: Judgement{0.95}}},
			{ID: "order-1", Order: &Order{Of: q("recon_h"), Methods: words("exact", "nys"), Judgement: Judgement{0.95}}},
			{ID: "order-2", Order: &Order{Of: q("time"), Over: Word{Value: "n"}, Direction: "rises", Slack: 0.05, Judgement: Judgement{0.95}}},
			{ID: "value-1", Value: &ValueClaim{Of: q("recon_h"), AtLeast: value("0"), Each: true, Because: "it is a norm", Judgement: Judgement{0.95}}},
			{ID: "normal-1", Distribution: &Distribution{Of: q("recon_h"), Equals: "normal", Mean: value("1/theta"), SD: value("2"), Within: value("0.1"), Judgement: Judgement{0.95}}},
			{ID: "bound-1", Bound: &Bound{Theorem: Word{Value: "nyk-4.1-iii"}, Delta: 0.05, Judgement: Judgement{0.95}, With: Keyed[Value]{"c": {Value: *value("2")}, "t": {Value: *value("1/theta")}}}},
		},
		Budgets: []Budget{
			{ID: "time", Title: "equal time", Of: q("recon_h"), Cost: q("time_total"), At: []float64{0.1, 1, 10},
				Selection: Selection{Where: Conditions{"method": {Value: []string{"exact", "nys"}}}, By: words("theta")}},
			{ID: "memory", Of: q("recon_h / recon_h_floor"), Cost: q("8*m^2")},
		},
		Profiles: Overlays{
			{Profile: "smoke", Repeats: Located[int]{Value: 2}, Grid: Variables{{Name: "n", Values: values("50")}, {Name: "theta", Values: values("0.5")}},
				Measure: words("recon_h"), Datasets: words("poly2"), Methods: words("exact", "nys"), Claims: words("ratio-1"), Plots: words("rates", "costs"), Budgets: words("time")},
			{Profile: "ci", Parameters: Changes{{ID: Word{Value: "pts"}, Params: params("dataset", "pts", "{path: few.csv, label: -1}")}}, Claims: words(), Budgets: words()},
		},
		File: "testdata/good/everything.yaml", Text: s.Text,
	}
	want.Plots = s.Plots // TestPlots looks at them
	if diff := cmp.Diff(want, s, ignorePlaces); diff != "" {
		t.Errorf("spec (-want +got):\n%s", diff)
	}
}

func TestPlaces(t *testing.T) {
	s := load(t, "everything.yaml")
	at := func(line, col int) Pos { return Pos{s.File, line, col} }
	for name, pair := range map[string][2]Pos{
		"dataset":      {s.Datasets[1].Pos, at(10, 5)},
		"use":          {s.Datasets[1].Use.Pos, at(10, 20)},
		"measure":      {s.Measure[1].Pos, at(25, 20)},
		"variable":     {s.Grid.Vars[1].Pos, at(15, 3)},
		"value":        {s.Grid.Vars[1].Values[0].Pos, at(15, 6)},
		"skip":         {s.Grid.Skip[1].Pos, at(20, 19)},
		"claim":        {s.Claims[0].Pos, at(27, 5)},
		"slope":        {s.Claims[0].Slope.Pos, at(30, 12)},
		"where method": {s.Claims[0].Slope.Where["method"].Pos, at(30, 59)},
		"budget":       {s.Budgets[0].Pos, at(57, 5)},
		"budget cost":  {s.Budgets[0].Cost.Pos, at(57, 54)},
		"overlay":      {s.Profiles[1].Pos, at(61, 3)},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s stands at %v, want %v", name, pair[0], pair[1])
		}
	}
}

func TestGoodSpecs(t *testing.T) {
	for name, points := range map[string]int{"nystrom-kpca-rates.yaml": 10, "csv-population.yaml": 9, "everything.yaml": 9} {
		s := load(t, name)
		got, err := s.Grid.Points(map[string]float64{"alpha": 2})
		if err != nil || got.Len() != points {
			t.Errorf("%s: %d points, error %v; want %d", name, got.Len(), err, points)
		}
	}
}

func TestCheckNames(t *testing.T) {
	s := load(t, "nystrom-kpca-rates.yaml")
	if err := s.CheckNames(map[string][]string{"poly2": {"alpha", "kappa"}}); err != nil {
		t.Error(err)
	}
	err := s.CheckNames(map[string][]string{"poly2": {"kappa"}})
	if err == nil {
		t.Fatal("a missing constant passes")
	}
	file := "testdata/good/nystrom-kpca-rates.yaml"
	want := strings.Join([]string{
		file + `:11:8: expression "ceil(n^(theta/alpha))": unknown name "alpha"; known: ell, kappa, m, n, theta (for dataset "poly2")`,
		file + `:16:28: expression "min(n, ceil(n^(theta*(2-1/alpha))))": unknown name "alpha"; known: ell, kappa, m, n, theta (for dataset "poly2")`,
		file + `:21:82: expression "-theta*(1-1/alpha)": unknown name "alpha"; known: ell, kappa, m, n, theta (for dataset "poly2")`,
	}, "\n")
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}

// A claim about one dataset may use constants that only that one has.
func TestCheckNamesMindsWhere(t *testing.T) {
	text := specWith("  n: 5\n") + "claims: [{id: c, value: {of: x, at_most: alpha, where: {dataset: a}}}]\n"
	text = strings.Replace(text, "{id: a, use: b}", "{id: a, use: b}, {id: z, use: b}", 1)
	s, err := Parse("s.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CheckNames(map[string][]string{"a": {"alpha"}, "z": nil}); err != nil {
		t.Error(err)
	}
	if err := s.CheckNames(map[string][]string{"a": nil, "z": {"alpha"}}); err == nil {
		t.Error("a missing constant passes")
	}
}

// What fails for every dataset is reported for the first.
func TestCheckNamesReportsOnce(t *testing.T) {
	text := strings.Replace(specWith("  n: beta\n"), "{id: a, use: b}", "{id: a, use: b}, {id: z, use: b}", 1)
	s, err := Parse("s.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	err = s.CheckNames(map[string][]string{"z": nil, "a": nil})
	want := `s.yaml:8:6: expression "beta": unknown name "beta"; known: n (for dataset "a")`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestLargeFile(t *testing.T) {
	big := filepath.Join(t.TempDir(), "big.yaml")
	if err := os.WriteFile(big, make([]byte, 2*maxBytes), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := ReadFile(big)
	if err != nil || len(text) != maxBytes+1 {
		t.Fatalf("%d bytes read, error %v", len(text), err)
	}
	if _, err := Parse(big, text); err == nil || !strings.Contains(err.Error(), "more than the limit of 1048576") {
		t.Errorf("a file of 2 MiB gives error %v", err)
	}
}
