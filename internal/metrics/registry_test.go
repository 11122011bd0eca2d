package metrics

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
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
