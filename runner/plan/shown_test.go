package plan

import (
	"context"
	"strings"
	"testing"

	"mercer/configs/source"
	"mercer/runner/plan/plantest"
)

func TestScatterOfTooMuch(t *testing.T) {
	text := strings.Replace(plantest.Scatter, "n: [60, 80], m: [20, 30]", "n: [40, 50, 60, 70, 80, 90], m: [20, 25, 30, 35]", 1)
	text = strings.Replace(text, ", where: {n: 80, m: [20]}", "", 1)
	spec, err := source.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := Resolve(spec)
	if err != nil {
		t.Fatal(err)
	}
	// ekpca and kernel k-means do not use m: 6 + 24 + 6 results.
	if _, err := Prepare(context.Background(), nil, resolved, Input{}); err == nil || !strings.Contains(err.Error(), "points of 36 results, more than 24") {
		t.Errorf("error %v", err)
	}
}
