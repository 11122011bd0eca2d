package views

import (
	"strings"

	"mercer/internal/plain"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/results"
)

// Names are what a run's methods, metrics and variables are called.
type Names struct {
	Variables []string // columns of the run but its data set, kernel and method
	labels    figure.Labels
	several   map[string]bool // "dataset" and "kernel" where the run has several
}

func namesOf(run results.Run) Names {
	return Names{Variables: format.Variables(run), labels: figure.LabelsOf(run), several: format.Several(run.Rows)}
}

// Label is the label of a name; "" where it has none.
func (n Names) Label(name string) string { return n.labels.Of(name) }

// Called is the label of a name, or the name as code.
func (n Names) Called(name string) Cell {
	if label := n.labels.Of(name); label != "" {
		return Cell{Text: label}
	}
	return Cell{Text: name, Mark: Code}
}

// Column is the head of a column of the run.
func (n Names) Column(name string) Cell {
	if head := map[string]string{"dataset": "Dataset", "kernel": "Kernel", "method": "Method"}[name]; head != "" {
		return Cell{Text: head}
	}
	return n.Called(name)
}

// Value is the value of a column, with its label or few digits; "" for none.
func (n Names) Value(at results.Key, column string) string {
	return plain.Text(n.labels.Where(rounded(at.Only(column))).Text(n.labels.Variable(column)))
}

// Axis is the label of a metric or an expression.
func (n Names) Axis(name string) string { return n.labels.Axis(name) }

// Where is a group with labels, e.g. "Nyström, θ=0.5", without the data set and the kernel of a run
// that has one.
func (n Names) Where(group results.Key) string {
	return format.ShortWhere(n.labels.Where(format.Told(group, n.several)))
}

// Says is a sentence of the spec with a capital first letter and no full stop.
func (n Names) Says(text string) string {
	return strings.TrimSuffix(n.labels.Sentence(plain.Text(text)), ".")
}

// Reads is a sentence of a verdict or a row without its full stop, with minus signs and the letters
// of sizes.
func (n Names) Reads(text string) string {
	return strings.TrimSuffix(n.labels.Letters(format.Negatives(plain.Text(text))), ".")
}
