package compare

import (
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/results"
)

// withAnswer is a run without noise whose target has an answer.
func withAnswer(seed uint64, fails, holds, wrong float64) Side {
	s := reseeded(steady(), seed)
	s.Answers = []claims.Answer{{Target: "least-m", Group: results.Key{}.With("dataset", configs.TextOf("poly2")), Over: "n", At: 100, Find: "m", Fails: &fails, Holds: &holds, Wrong: wrong}}
	return s
}

func TestAnswers(t *testing.T) {
	gone := withAnswer(1, 10, 20, 0.001)
	gone.Answers = nil
	tests := map[string]struct {
		base, new Side
		want      Severity // empty: no finding
		says      string
	}{
		"same":           {withAnswer(1, 10, 20, 0.05), withAnswer(1, 10, 20, 0.05), "", ""},
		"same numbers":   {withAnswer(1, 10, 20, 0.05), withAnswer(1, 10, 15, 0.05), Regression, "10 < m <= 20 → 10 < m <= 15 on the same numbers"},
		"overlap":        {withAnswer(1, 10, 20, 0.001), withAnswer(2, 19, 40, 0.001), "", ""},
		"more":           {withAnswer(1, 10, 20, 0.05), withAnswer(2, 20, 40, 0.05), Warning, "more m is needed: 10 < m <= 20 → 20 < m <= 40"},
		"more, of named": {withAnswer(1, 10, 20, 0.001), withAnswer(2, 20, 40, 0.001), Regression, "more m is needed"},
		"less":           {withAnswer(1, 20, 40, 0.001), withAnswer(2, 10, 20, 0.001), "", ""},
		"gone":           {withAnswer(1, 10, 20, 0.05), gone, Regression, "no longer judged"},
		"new":            {gone, withAnswer(1, 10, 20, 0.05), "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := Compare([]Pair{{kept(t, test.base), test.new}}, options)
			var found []Finding
			for _, f := range c.All() {
				if f.Kind == Answer {
					found = append(found, f)
				}
			}
			switch {
			case test.want == "" && len(found) > 0:
				t.Errorf("found %+v", found)
			case test.want != "" && (len(found) != 1 || found[0].Severity != test.want || !strings.Contains(found[0].Text, test.says)):
				t.Errorf("found %+v, want one %s with %q", found, test.want, test.says)
			}
		})
	}
}
