package data

import (
	"cmp"

	"mercer/internal/kernel"
)

// about is what a data set says of itself once it is open; see Dataset.
type about struct {
	describe  string
	hash      string // empty: describe tells contents apart
	constants map[string]float64
	kernel    kernel.Kernel
	distances kernel.Distances
	support   Support
}

func (a about) Describe() string              { return a.describe }
func (a about) Constants() map[string]float64 { return a.constants }
func (a about) Fingerprint() string           { return cmp.Or(a.hash, a.describe) }
func (a about) Kernel() kernel.Kernel         { return a.kernel }
func (a about) Distances() kernel.Distances   { return a.distances }
func (a about) Support() Support              { return a.support }

// Unchanged is that of a data set without files.
func (about) Unchanged() error { return nil }
