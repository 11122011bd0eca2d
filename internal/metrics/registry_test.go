package metrics

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestEveryFormulaIsInTheRegistry: what adds outputs to a record is of some measure.
func TestEveryFormulaIsInTheRegistry(t *testing.T) {
	formula := regexp.MustCompile(`(?m)^func \(e \*evaluation\) (\w+)\((?:ell int, |_ int, )?into map\[string\]float64\)`)
	registry, err := os.ReadFile("registry.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range formula.FindAllStringSubmatch(string(source), -1) {
			found++
			if !strings.Contains(string(registry), "(*evaluation)."+match[1]) {
				t.Errorf("%s: %s is of no measure of the Registry (internal/metrics/registry.go)", file, match[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d formulas are found: their form has changed", found)
	}
}

// TestEveryMeasureIsTested: what is computed here is named in a test, beside those that go
// through the whole registry.
func TestEveryMeasureIsTested(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(source)
	}
	for name, measure := range Registry {
		if measure.compute != nil && !strings.Contains(tests.String(), strconv.Quote(name)) {
			t.Errorf("no test names the measure %q: hold it to its definition", name)
		}
	}
}

// Every measure says where it is from and what it costs.
func TestSourcesAndCosts(t *testing.T) {
	for name, m := range Registry {
		if m.Reference == "" || m.Cost == "" {
			t.Errorf("%s is from %q and costs %q", name, m.Reference, m.Cost)
		}
	}
}

// Every output of every measure has a direction of its own or shares one.
func TestEveryOutputHasADirection(t *testing.T) {
	for name, m := range Registry {
		if len(m.Better) != 1 && len(m.Better) != len(m.Outputs) {
			t.Errorf("%s has %d outputs and %d directions; want one each, or one for all", name, len(m.Outputs), len(m.Better))
		}
	}
	for metric, want := range map[string]Better{
		"recon_h": Less, "recon_h_floor": Neither, "recon_h_projection": Neither, "time_total": Less, "time_exec": Less,
		"cluster_cost_test": Less, "cluster_cost_embedding_test": Neither, "nmi_geometric_test": More, "adjusted_rand": More,
		"eigenvalue_1": Neither, "eigenvalue_7": Neither, "skp_excess": Neither, "kjl_operator": Less, "unknown": Neither,
	} {
		if got := BetterOf(metric); got != want {
			t.Errorf("%s: %v is better; want %v", metric, got, want)
		}
	}
}

// Every output has a label, short enough for the axis of a figure in a column.
func TestLabels(t *testing.T) {
	for name, m := range Registry {
		if len(m.Labels) != len(m.Outputs) {
			t.Errorf("%s has %d outputs and %d labels; want one each", name, len(m.Outputs), len(m.Labels))
		}
		for _, label := range m.Labels {
			if n := utf8.RuneCountInString(label); n == 0 || n > 36 {
				t.Errorf("%s: the label %q has %d letters; want 1 to 36", name, label, n)
			}
		}
	}
}
