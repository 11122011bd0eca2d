package configs

import (
	"maps"
	"slices"
)

// Bound claims that a finite-sample bound of package theory holds with
// probability at least 1 - Delta, in each cell where the theorem's conditions
// hold. With gives the parameters that the theorem leaves open.
type Bound struct {
	Theorem   string           `yaml:"theorem" required:"true" doc:"Key of the theorem, as mercer list --theorems has it."`
	Delta     float64          `yaml:"delta" required:"true" above:"0" below:"1" doc:"The bound may fail with this probability."`
	With      map[string]Value `yaml:"with" doc:"Values of the parameters that the theorem leaves open: numbers, or expressions over the grid and the dataset's constants."`
	Level     float64          `yaml:"level" above:"0" below:"1" doc:"Confidence level; 0.95 when left out."`
	Selection `yaml:",inline"`

	TheoremPos Pos            `yaml:"-"`
	WithPos    map[string]Pos `yaml:"-"`
	Pos        Pos            `yaml:"-"`
}

// Quantity is empty: the theorem says what is bounded.
func (b *Bound) Quantity() Quantity { return Quantity{} }

// Confidence is where the confidence level stands.
func (b *Bound) Confidence() *float64 { return &b.Level }

func (b *Bound) compared() []placed { return nil }

func (b *Bound) values() []Value {
	var all []Value
	for _, name := range slices.Sorted(maps.Keys(b.With)) {
		all = append(all, b.With[name])
	}
	return all
}

func (b *Bound) check(c *checker, claim Claim, where string) {
	if claim.Theorem != "" {
		c.problems.Add(Errorf(claim.TheoremPos, "%s is a bound, which names its own theorem; remove this one", where))
	}
}
