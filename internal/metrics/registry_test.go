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

// TestEveryFormulaIsInTheRegistry: what adds outputs to a record is of some measure, and every
// measure that stands beside a formula is in the Registry.
func TestEveryFormulaIsInTheRegistry(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(source)
	}
	formula := regexp.MustCompile(`(?m)^func (\w+)\(e \*evaluation, .*into Values\)`)
	found := formula.FindAllStringSubmatch(all.String(), -1)
	for _, match := range found {
		if !regexp.MustCompile(`compute: .*\b` + match[1] + `\b`).MatchString(all.String()) {
			t.Errorf("%s is of no measure: give it an entry beside it", match[1])
		}
	}
	if len(found) < 20 {
		t.Errorf("only %d formulas are found: their form has changed", len(found))
	}

	computed := 0
	for _, m := range Registry {
		if m.compute != nil {
			computed++
		}
	}
	entry := regexp.MustCompile(`(?m)^\t\tcompute: |^\t"\w+": +\w+\(`) // by its fields, or made by a function
	if entries := len(entry.FindAllString(all.String(), -1)); entries != computed {
		t.Errorf("%d measures have a formula, and %d are in the Registry (registry.go)", entries, computed)
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

// TestOutputs: every output has a name of its own and a label, short enough for the axis of a
// figure in a column.
func TestOutputs(t *testing.T) {
	seen := map[string]Better{}
	for measure, m := range Registry {
		for _, o := range m.Outputs {
			if _, twice := seen[o.Name]; twice || MeasureOf(o.Name) != measure {
				t.Errorf("%s is of two measures, or not of %s", o.Name, measure)
			}
			seen[o.Name] = o.Better
			if n := utf8.RuneCountInString(o.Label); n == 0 || n > 36 {
				t.Errorf("%s: the label %q has %d letters; want 1 to 36", o.Name, o.Label, n)
			}
		}
	}
	for metric, want := range map[string]Better{
		"recon_h": Less, "recon_h_floor": Neither, "recon_h_projection": Neither, "time_total": Less, "time_exec": Less,
		"cluster_cost_test": Less, "cluster_cost_embedding_test": Neither, "nmi_geometric_test": More, "adjusted_rand": More,
		"eigenvalue_1": Neither, "skp_excess": Neither, "kjl_operator": Less,
	} {
		if got, known := seen[metric]; !known || got != want {
			t.Errorf("%s: %q is better; want %q", metric, got, want)
		}
	}
}
