package configs_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	. "mercer/configs"
	"mercer/configs/source"
)

var ignorePlaces = cmp.Options{
	cmpopts.IgnoreTypes(Pos{}),
	cmp.Comparer(func(v, w Value) bool { return v.Text == w.Text }),
}

func words(texts ...string) Words {
	list := Words{}
	for _, text := range texts {
		list = append(list, Word{Value: text})
	}
	return list
}

func load(t testing.TB, name string) *Spec {
	t.Helper()
	file := "testdata/good/" + name
	text, err := source.File(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := source.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestEverything: every key of a spec is decoded, with its place.
func TestEverything(t *testing.T) {
	s := load(t, "everything.yaml")
	params := map[string]string{}
	for _, c := range slices.Concat(s.Datasets, s.Kernels, s.Methods) {
		params[c.ID] = c.Params.Canonical()
	}
	got, err := json.MarshalIndent(map[string]any{"spec": s, "params": params}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	place := regexp.MustCompile(`\{\s*"File": "[^"]*",\s*"Line": (\d+),\s*"Col": (\d+)\s*\}`)
	Golden(t, "testdata/good/everything.json", place.ReplaceAllString(string(got), `"$1:$2"`))
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
		file + `:11:8: expression "ceil(n^(theta/alpha))": unknown name "alpha"; known: ell, kappa, m, n, theta`,
		file + `:16:28: expression "min(n, ceil(n^(theta*(2-1/alpha))))": unknown name "alpha"; known: ell, kappa, m, n, theta`,
		file + `:21:82: expression "-theta*(1-1/alpha)": unknown name "alpha"; known: ell, kappa, m, n, theta`,
	}, "\n")
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}

func TestLargeFile(t *testing.T) {
	big := filepath.Join(t.TempDir(), "big.yaml")
	if err := os.WriteFile(big, make([]byte, 2*source.MaxBytes), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := source.File(big)
	if err != nil || len(text) != source.MaxBytes+1 {
		t.Fatalf("%d bytes read, error %v", len(text), err)
	}
	if _, err := source.Parse(big, text); err == nil || !strings.Contains(err.Error(), "more than the limit of 1048576") {
		t.Errorf("a file of 2 MiB gives error %v", err)
	}
}
