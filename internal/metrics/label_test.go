package metrics

import (
	"slices"
	"testing"
	"unicode/utf8"
)

// Each output of a measure has a label, which is that of an output of a measure, and short enough for the axis of a figure in
// a column.
func TestLabels(t *testing.T) {
	var outputs []string
	for _, m := range Registry {
		outputs = append(outputs, m.Outputs...)
	}
	for _, name := range outputs {
		if Labels[name] == "" {
			t.Errorf("%s has no label", name)
		}
	}
	for name, label := range Labels {
		if !slices.Contains(outputs, name) {
			t.Errorf("no measure gives %s", name)
		}
		if n := utf8.RuneCountInString(label); n == 0 || n > 36 {
			t.Errorf("the label of %s has %d letters", name, n)
		}
	}
}
