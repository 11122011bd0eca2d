package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// emitPack writes the interleaving of four rows, 4×4 elements at a time.
func emitPack(ctx *build.Context, set lanes) {
	e := begin(ctx, set, "packRows4", "func(dst, src []float64, stride, depth, width int)")
	e.Doc("packRows4"+e.name+" is dst[q·width + r] = src[r·stride + q] for r < 4 and q < depth, a",
		"multiple of 4.")
	dst, src, depth := e.base("dst"), e.base("src"), e.parameter("depth")
	sources := e.rows(src, e.bytes("stride"), 4)
	width := e.bytes("width")
	targets := e.rows(dst, width, 4)
	e.Label("blocks")
	e.SUBQ(operand.U8(4), depth)
	e.JLT(operand.LabelRef("done"))
	// Rows 0 and 2 share a register, and so do 1 and 3.
	join := func(row, column int) reg.VecVirtual {
		low, both := e.XMM(), e.YMM()
		e.VMOVUPD(sources[row].Offset(8*column), low)
		e.VINSERTF128(operand.U8(1), sources[row+2].Offset(8*column), low.AsY(), both)
		return both
	}
	for column := 0; column < 4; column += 2 {
		even, odd := join(0, column), join(1, column)
		first, second := e.YMM(), e.YMM()
		e.VUNPCKLPD(odd, even, first)
		e.VUNPCKHPD(odd, even, second)
		e.VMOVUPD(first, targets[column])
		e.VMOVUPD(second, targets[column+1])
	}
	e.ADDQ(operand.U8(32), src)
	e.LEAQ(operand.Mem{Base: dst, Index: width, Scale: 4}, dst)
	e.JMP(operand.LabelRef("blocks"))
	e.Label("done")
	e.VZEROUPPER()
	e.RET()
}

// emitColumns writes the copying of runs of whole vectors.
func emitColumns(ctx *build.Context, set lanes) {
	e := begin(ctx, set, "packColumns", "func(dst, src []float64, stride, depth, vectors int)")
	e.Doc(fmt.Sprintf("packColumns%s is dst[q·width + r] = src[q·stride + r] for q < depth and r < width,", e.name),
		"which is so many vectors. Both are at least 1.")
	bytes := 8 * e.count
	row, stride, depth := e.base("src"), e.bytes("stride"), e.parameter("depth")
	dst, vectors := e.base("dst"), e.parameter("vectors")
	src, v := e.GP64(), e.GP64()
	e.Label("rows")
	e.MOVQ(row, src)
	e.MOVQ(vectors, v)
	e.Label("run")
	x := e.vector()
	e.VMOVUPD(operand.Mem{Base: src}, x)
	e.VMOVUPD(x, operand.Mem{Base: dst})
	e.ADDQ(operand.U8(bytes), src)
	e.ADDQ(operand.U8(bytes), dst)
	e.DECQ(v)
	e.JNZ(operand.LabelRef("run"))
	e.ADDQ(stride, row)
	e.DECQ(depth)
	e.JNZ(operand.LabelRef("rows"))
	e.VZEROUPPER()
	e.RET()
}

// emitSqueeze writes the removal of what is zero in all rows of a packed sliver.
func emitSqueeze(ctx *build.Context, set lanes) {
	e := begin(ctx, set, "squeeze", "func(packed []float64, steps []uint32, depth int) int")
	e.Doc(fmt.Sprintf("squeeze%s keeps those of the first depth vectors of packed that have a bit", e.name),
		"set, moves them together, writes what depth they had, in bytes of a vector, to",
		"steps, and returns how many they are. It takes depth ≥ 1.")
	bytes := 8 * e.count
	start, step, depth := e.base("packed"), e.base("steps"), e.parameter("depth")
	src, dst, at := e.GP64(), e.GP64(), e.GP64()
	e.MOVQ(start, src)
	e.MOVQ(start, dst)
	e.XORQ(at, at)
	e.Label("vectors")
	v, kept := e.vector(), e.GP64()
	e.VMOVUPD(operand.Mem{Base: src}, v)
	e.XORL(kept.As32(), kept.As32())
	if e.wide() {
		k, set := e.K(), e.GP32()
		e.VPTESTMQ(v, v, k)
		e.KMOVB(k, set)
		e.TESTL(set, set)
	} else {
		e.VPTEST(v, v)
	}
	e.SETNE(kept.As8())
	e.VMOVUPD(v, operand.Mem{Base: dst})
	e.MOVL(at.As32(), operand.Mem{Base: step})
	e.LEAQ(operand.Mem{Base: step, Index: kept, Scale: 4}, step)
	e.SHLQ(operand.U8(bits.TrailingZeros(uint(bytes))), kept)
	e.ADDQ(kept, dst)
	e.ADDQ(operand.U8(bytes), src)
	e.ADDQ(operand.U8(bytes), at)
	e.DECQ(depth)
	e.JNZ(operand.LabelRef("vectors"))
	e.SUBQ(start, dst)
	e.SHRQ(operand.U8(bits.TrailingZeros(uint(bytes))), dst)
	e.Store(dst, e.ReturnIndex(0))
	e.VZEROUPPER()
	e.RET()
}
