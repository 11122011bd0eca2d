package configs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDescribe(t *testing.T) {
	o := defaults()
	want := `landmarks: one of uniform, first, leverage, default uniform. How landmarks are chosen.
ridge: a number, at least 0, default 1e-08
steps: a whole number, at least 1, at most 100, default 10
small: a whole number
center: true or false, default true
decay: a mapping
decay.power: a number, greater than 0, default 2, required
decay.scale: a number, default 3
weights: a list, each a number, at least 0
names: a mapping
budget: a duration such as "90s", or 0
scale: a word or a mapping
rank: a number, or an expression`
	if diff := cmp.Diff(want, strings.Join(Describe(&o), "\n")); diff != "" {
		t.Errorf("description (-want +got):\n%s", diff)
	}
	if got := Describe(nil); got != nil {
		t.Errorf("nothing is described as %v", got)
	}
}

// A word that stands for a mapping is described as either.
func TestDescribeWord(t *testing.T) {
	defaults := Worded{Rule: Rule{Name: "uniform", Level: 2}}
	want := `rule: one of uniform, leverage, or a mapping, default uniform. How.
rule.name: one of uniform, leverage, default uniform. Which.
rule.level: a number, at least 0, default 2`
	if diff := cmp.Diff(want, strings.Join(Describe(defaults), "\n")); diff != "" {
		t.Errorf("description (-want +got):\n%s", diff)
	}
}
