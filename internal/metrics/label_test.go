package metrics

import (
	"slices"
	"testing"
	"unicode/utf8"
)

// A label is that of an output of a measure, and short enough for the axis of a figure in
// a column.
func TestLabels(t *testing.T) {
	var outputs []string
	for _, m := range Registry {
		outputs = append(outputs, m.Outputs...)
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
