// Package kernels is what a Go program needs of kernels to bring its own, and to write a
// method that uses any:
//
//  1. A type with At, Bound and String is a Kernel. One that can also draw from its spectral
//     measure is a ShiftInvariant, and has random features.
//  2. A struct with the kernel's keys in a spec, in yaml and doc tags, is its Options: Build
//     checks them and makes the kernel.
//  3. Register gives it the name that specs use, before the program calls cmd.Main.
//
// docs/go.md is a whole program.
package kernels

import (
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/misuse"
)

// Kernels and their parameters in a spec.
type (
	Kernel         = kernel.Kernel
	ShiftInvariant = kernel.ShiftInvariant
	Entry          = kernel.Entry
	Options        = kernel.Options
	Bandwidth      = kernel.Bandwidth // a rule that takes σ from the data
	Distances      = kernel.Distances
)

// Functions that a method finds.
type (
	Functions        = kernel.Functions
	Expansion        = kernel.Expansion
	FeatureMap       = kernel.FeatureMap
	FeatureExpansion = kernel.FeatureExpansion
)

// Register adds a kernel under the name that specs use. It panics where the name is taken or
// the entry lacks Doc or New.
func Register(name string, e Entry) { misuse.Register(kernel.Registry, name, e, "Doc", "New") }

// Cross is the n×m matrix of k(x_i, y_j) for the rows of x (n×D) and y (m×D): n·m kernel
// evaluations. It panics where the widths differ.
func Cross(k Kernel, x, y *mat.Dense) *mat.Dense { return kernel.Cross(k, x, y) }

// Gram is the n×n matrix of k(x_i, x_j): n²/2 kernel evaluations.
func Gram(k Kernel, x *mat.Dense) *mat.SymDense { return kernel.Gram(k, x) }
