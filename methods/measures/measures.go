// Package measures is what a Go program needs to bring a measure of its own: a Formula and a
// Measure that says what it gives, which Register adds before the program calls cmd.Main.
// docs/go.md is a whole program.
package measures

import "mercer/internal/metrics"

// A measure, the numbers that it gives, and what it looks at.
type (
	Measure  = metrics.Measure
	Family   = metrics.Family
	Output   = metrics.Output
	Better   = metrics.Better
	Rounding = metrics.Rounding
	Truth    = metrics.Truth
	Values   = metrics.Values
	Formula  = metrics.Formula
)

// Which values of an output speak for a method.
const (
	Neither = metrics.Neither
	Less    = metrics.Less
	More    = metrics.More
)

// What a measure may need of its data set, in Family.Needs.
const (
	NeedsPopulation = metrics.NeedsPopulation
	NeedsHeldOut    = metrics.NeedsHeldOut
	NeedsClasses    = metrics.NeedsClasses
	NeedsResponses  = metrics.NeedsResponses
)

// Register adds a measure under the name that specs use. It panics where the name or that of
// an output is taken, or the measure lacks Doc, Reference, Cost, Shapes or Outputs.
func Register(name string, m Measure, f Formula) { metrics.Register(name, m, f) }
