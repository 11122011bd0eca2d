package selection

import (
	"cmp"

	"gopkg.in/yaml.v3"

	"mercer/results"
)

// Order is that in which a spec lists its data sets, kernels and methods: the one in which
// a reader sees them.
type Order map[string]map[string]int // by column and id

// Entry is a data set, kernel or method of a spec.
type Entry struct{ ID, Use string }

// entries are what the spec of a run lists; nothing where it has none that can be read.
type entries struct{ Datasets, Kernels, Methods []Entry }

func entriesOf(m results.Manifest) (spec entries) {
	if yaml.Unmarshal([]byte(m.Spec), &spec) != nil {
		return entries{}
	}
	return spec
}

// Methods are those of a run's spec, in its order.
func Methods(m results.Manifest) []Entry { return entriesOf(m).Methods }

// OrderOf is the order of a run's spec. It knows nothing where the run has no spec that
// can be read.
func OrderOf(m results.Manifest) Order {
	spec, o := entriesOf(m), Order{}
	for column, entries := range map[string][]Entry{"dataset": spec.Datasets, "kernel": spec.Kernels, "method": spec.Methods} {
		o[column] = map[string]int{}
		for i, e := range entries {
			o[column][e.ID] = i
		}
	}
	return o
}

// Compare says which of two values of a column comes first: those of the spec in its order,
// then others; 0 where it does not say.
func (o Order) Compare(column, a, b string) int {
	place := func(id string) int {
		if i, known := o[column][id]; known {
			return i
		}
		return len(o[column])
	}
	return cmp.Compare(place(a), place(b))
}
