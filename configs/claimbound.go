package configs

import (
	"maps"
	"slices"

	"mercer/internal/lists"
)

// Bound claims that a finite-sample bound of package theory holds with
// probability at least 1 - Delta, in each cell where the theorem's conditions
// hold. With gives the parameters that the theorem leaves open.
type Bound struct {
	Theorem Word         `yaml:"theorem" required:"true" doc:"Key of the theorem, as mercer list --theorems has it."`
	Delta   float64      `yaml:"delta" required:"true" above:"0" below:"1" doc:"The bound may fail with this probability."`
	With    Keyed[Value] `yaml:"with" doc:"Values of the parameters that the theorem leaves open: numbers, or expressions over the grid and the dataset's constants."`
	Judgement
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`
}

// Quantity is empty: the theorem says what is bounded.
func (b *Bound) Quantity() Quantity { return Quantity{} }

func (b *Bound) values() []Value {
	return lists.Map(slices.Sorted(maps.Keys(b.With)), func(name string) Value { return b.With[name].Value })
}

func (b *Bound) check(*checker, string) {}
