package data

import (
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
func (o *GeneratedOptions[G]) Traits() Traits { return o.Population.traits() }

// Validate checks the parameters.
func (o *GeneratedOptions[G]) Validate() error { return o.Generator.Validate() }

// Open checks the parameters.
func (o *GeneratedOptions[G]) Open(c Context) (Dataset, error) {
	if err := o.Generator.Validate(); err != nil {
		return nil, err
	}
	parameters, err := json.Marshal(o.Generator)
	if err != nil {
		return nil, err
	}
	return newGeneratedDataset(fmt.Sprintf("%s %s", o.name, parameters), o.Generator, o.Population, c)
}

func generated[G generate.Generator](name, doc string, defaults G) Entry {
	return Entry{
		Doc: doc,
		New: func() Options {
			return &GeneratedOptions[G]{Generator: defaults, Population: PopulationOption{Kind: "none"}, name: name}
		},
		Constants: []string{"D", "classes"},
	}
}
