package data

import (
	"cmp"
	"encoding/json"
	"fmt"

	"mercer/data/generate"
)

// GeneratedOptions are the parameters of a generator and of its population.
type GeneratedOptions[G generate.Generator] struct {
	Generator  G                `yaml:",inline"`
	Population PopulationOption `yaml:"population" doc:"population of the errors: {held_out: N} points drawn in each repeat, or none (default); with held_out, floors and eigenvalues are those of the N points: the floor is lower than that of their law, 0 from ell = N on"`
	name       string
}

// Traits follow the population.
func (o *GeneratedOptions[G]) Traits() Traits {
	t := o.Population.traits()
	t.Classes = o.Generator.Classes() > 1
	return t
}

// Validate checks the parameters, where a generator has any.
func (o *GeneratedOptions[G]) Validate() error {
	if g, ok := any(o.Generator).(interface{ Validate() error }); ok {
		return g.Validate()
	}
	return nil
}

// Open checks the parameters.
func (o *GeneratedOptions[G]) Open(c Context) (Dataset, error) {
	if err := cmp.Or(o.Validate(), o.Population.drawn("this data set is generated and has no fixed points")); err != nil {
		return nil, err
	}
	parameters, err := json.Marshal(o.Generator)
	if err != nil {
		return nil, err
	}
	points := func(streams Streams, purpose string, n int) (Rows, []int) {
		return newSequence(n, o.Generator.Dim(), streams, purpose, o.Generator.Points())
	}
	x, _ := generate.Draw(o.Generator, distanceSample, c.Streams.rand("bandwidth points"))
	return &freshDataset{about: about{
		describe:  fmt.Sprintf("%s %s%s", o.name, parameters, o.Population.describe("points drawn")),
		constants: map[string]float64{"D": float64(o.Generator.Dim()), "classes": float64(o.Generator.Classes())},
		distances: &poolDistances{pool: RowsOf(x), streams: c.Streams, ctx: c.context()},
		support:   Support{Points: o.Population.HeldOut},
	}, points: points}, nil
}

// Generated is the entry of a data set that a generator makes, whose fields with yaml tags are its
// keys and whose json enters row keys.
func Generated[G generate.Generator](name, doc string, defaults G) Entry {
	return Entry{
		Doc: doc,
		New: func() Options {
			return &GeneratedOptions[G]{Generator: defaults, Population: PopulationOption{Kind: "none"}, name: name}
		},
		Constants: []string{"D", "classes"},
	}
}
