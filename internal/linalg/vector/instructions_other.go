//go:build !amd64 || purego

package vector

func detect() instructions { return portable }

func expScaled(dst, x []float64, scale float64) { expPortable(dst, x, scale) }

func sincos(sin, cos, x []float64) int { return sincosPortable(sin, cos, x) }

func tilesFor(instructions) *tiles { return &tilesPortable }

func packVectors(_, _ []float64, _, _, _ int) bool { return false }

func packColumns(_, _ []float64, _, _, _, _ int) bool { return false }
