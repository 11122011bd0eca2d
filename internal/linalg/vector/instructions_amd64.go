//go:build !purego

package vector

import "golang.org/x/sys/cpu"

// detect asks the processor, and through XGETBV the operating system, which
// has to save the registers.
func detect() instructions {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI2:
		return avx512
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		return avx2
	}
	return portable
}

func expScaled(dst, x []float64, scale float64) {
	switch active {
	case avx512:
		expAVX512(dst, x, scale)
	case avx2:
		expAVX2(dst, x, scale)
	default:
		expPortable(dst, x, scale)
	}
}

// sincos returns how many elements are left at the first vector with an
// argument that is not for it.
func sincos(sin, cos, x []float64) int {
	switch active {
	case avx512:
		return sincosAVX512(sin, cos, x)
	case avx2:
		return sincosAVX2(sin, cos, x)
	}
	return sincosPortable(sin, cos, x)
}

// packVectors is packRows4 for a depth that is a multiple of 4, if there are
// instructions for it.
func packVectors(dst, src []float64, stride, depth, width int) bool {
	if active == portable {
		return false
	}
	packRows4AVX2(dst, src, stride, depth, width)
	return true
}

// packColumns is pack for columns in one piece that are whole vectors, if there are
// instructions for it.
func packColumns(dst, src []float64, stride, rows, depth, width int) bool {
	lanes := tilesFor(active).lanes
	switch {
	case active == portable || rows != width || width%lanes != 0:
		return false
	case active == avx512:
		packColumnsAVX512(dst, src, stride, depth, width/lanes)
	default:
		packColumnsAVX2(dst, src, stride, depth, width/lanes)
	}
	return true
}

func tilesFor(set instructions) *tiles {
	switch set {
	case avx512:
		return &tilesAVX512
	case avx2:
		return &tilesAVX2
	}
	return &tilesPortable
}

var tilesAVX512 = tiles{rows: 8, lanes: 8, vectors: 3, functions: []tileFunc{
	tile1x8AVX512, tile1x16AVX512, tile1x24AVX512,
	tile2x8AVX512, tile2x16AVX512, tile2x24AVX512,
	tile4x8AVX512, tile4x16AVX512, tile4x24AVX512,
	tile8x8AVX512, tile8x16AVX512, tile8x24AVX512,
}, steps: []stepsFunc{steps8x8AVX512, steps8x16AVX512, steps8x24AVX512}, squeeze: squeezeAVX512}

var tilesAVX2 = tiles{rows: 4, lanes: 4, vectors: 3, functions: []tileFunc{
	tile1x4AVX2, tile1x8AVX2, tile1x12AVX2,
	tile2x4AVX2, tile2x8AVX2, tile2x12AVX2,
	tile4x4AVX2, tile4x8AVX2, tile4x12AVX2,
}, steps: []stepsFunc{steps4x4AVX2, steps4x8AVX2, steps4x12AVX2}, squeeze: squeezeAVX2}
