package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// emitTile writes the micro-kernel that holds rows × (vectors·lanes) elements
// of C in registers.
func emitTile(ctx *build.Context, set lanes, rows, vectors int) {
	name := fmt.Sprintf("tile%dx%d", rows, vectors*set.count)
	e := begin(ctx, set, name, "func(k int, a []float64, rowA, colA int, b []float64, rowB int, c []float64, rowC int, alpha float64, add bool)")
	e.Doc(fmt.Sprintf("%s%s is C = alpha·A·B, or C += alpha·A·B if add is true, for a tile", name, set.name),
		fmt.Sprintf("of %d×%d; see tileFunc.", rows, vectors*e.count))

	k, a, b := e.parameter("k"), e.base("a"), e.base("b")
	colA, rowB := e.bytes("colA"), e.bytes("rowB")
	e.tile(rows, vectors, k, e.rows(a, e.bytes("rowA"), rows), func() operand.Mem {
		return operand.Mem{Base: b}
	}, func() {
		e.ADDQ(rowB, b)
		e.ADDQ(colA, a)
	})
}

// stepsAhead is how many steps ahead rows of B are fetched.
const stepsAhead = 4

// emitSteps writes the micro-kernel for the tallest tile that goes through chosen
// rows of B.
func emitSteps(ctx *build.Context, set lanes, vectors int) {
	rows := set.count
	name := fmt.Sprintf("steps%dx%d", rows, vectors*set.count)
	e := begin(ctx, set, name, "func(steps []uint32, a []float64, b []float64, c []float64, rowC int, alpha float64, add bool)")
	e.Doc(fmt.Sprintf("%s%s is C = alpha·A·B, or C += alpha·A·B if add is true, for a tile", name, set.name),
		fmt.Sprintf("of %d×%d and chosen rows of B; see stepsFunc.", rows, vectors*e.count))

	step, k, a, b := e.base("steps"), e.length("steps"), e.base("a"), e.base("b")
	rowsOfA := make([]operand.Mem, rows)
	for i := range rowsOfA {
		rowsOfA[i] = operand.Mem{Base: a, Disp: 8 * i}
	}
	e.tile(rows, vectors, k, rowsOfA, func() operand.Mem {
		rowOfB := func(ahead int) operand.Mem {
			row := e.GP64()
			e.MOVL(operand.Mem{Base: step, Disp: 4 * ahead}, row.As32())
			if vectors == 3 {
				e.LEAQ(operand.Mem{Base: row, Index: row, Scale: 2}, row)
				return operand.Mem{Base: b, Index: row, Scale: 1}
			}
			return operand.Mem{Base: b, Index: row, Scale: uint8(vectors)}
		}
		later := rowOfB(stepsAhead) // what comes in leaps the processor does not foresee
		for line := 0; line < 8*e.count*vectors; line += 64 {
			e.PREFETCHT0(later.Offset(line))
		}
		return rowOfB(0)
	}, func() {
		e.ADDQ(operand.U8(4), step)
		e.ADDQ(operand.U8(8*rows), a)
	})
}

// tile writes the body of a micro-kernel of k steps: where the elements of A and
// the row of B of a step are, and how to go on to the next.
func (e *emitter) tile(rows, vectors int, k reg.GPVirtual, rowsOfA []operand.Mem, rowOfB func() operand.Mem, advance func()) {
	sums := make([][]reg.VecVirtual, rows)
	for i := range sums {
		sums[i] = make([]reg.VecVirtual, vectors)
		for j := range sums[i] {
			sums[i][j] = e.vector()
			if e.wide() {
				e.VPXORQ(sums[i][j], sums[i][j], sums[i][j])
			} else {
				e.VXORPD(sums[i][j], sums[i][j], sums[i][j])
			}
		}
	}
	c, rowC := e.base("c"), e.bytes("rowC")
	next := e.GP64() // rows of C come from memory while the sums are computed
	e.MOVQ(c, next)
	for i := range rows {
		for line := 0; line < 8*e.count*vectors; line += 64 {
			e.PREFETCHT0(operand.Mem{Base: next, Disp: line})
		}
		if i < rows-1 {
			e.ADDQ(rowC, next)
		}
	}
	step := func() {
		row, from := make([]reg.VecVirtual, vectors), rowOfB()
		for j := range row {
			row[j] = e.vector()
			e.VMOVUPD(from.Offset(8*e.count*j), row[j])
		}
		for i := range rows {
			element := e.vector()
			e.VBROADCASTSD(rowsOfA[i], element)
			for j := range row {
				e.VFMADD231PD(row[j], element, sums[i][j])
			}
		}
		advance()
	}
	e.SUBQ(operand.U8(2), k)
	e.JLT(operand.LabelRef("last"))
	e.Label("pairs")
	step()
	step()
	e.SUBQ(operand.U8(2), k)
	e.JGE(operand.LabelRef("pairs"))
	e.Label("last")
	e.ADDQ(operand.U8(2), k)
	e.JZ(operand.LabelRef("update"))
	step()

	e.Label("update")
	alpha := e.vector()
	mem, err := e.Param("alpha").Resolve()
	if err != nil {
		panic(err)
	}
	e.VBROADCASTSD(mem.Addr, alpha)
	add := e.Load(e.Param("add"), e.GP8()).(reg.GPVirtual)
	e.TESTB(add, add)
	e.JZ(operand.LabelRef("store"))
	for i := range sums {
		for j, sum := range sums[i] {
			at := operand.Mem{Base: c, Disp: 8 * e.count * j}
			e.VFMADD213PD(at, alpha, sum)
			e.VMOVUPD(sum, at)
		}
		e.ADDQ(rowC, c)
	}
	e.VZEROUPPER()
	e.RET()
	e.Label("store")
	for i := range sums {
		for j, sum := range sums[i] {
			e.VMULPD(alpha, sum, sum)
			e.VMOVUPD(sum, operand.Mem{Base: c, Disp: 8 * e.count * j})
		}
		e.ADDQ(rowC, c)
	}
	e.VZEROUPPER()
	e.RET()
}

// bytes loads a stride, given in elements, as bytes.
func (e *emitter) bytes(name string) reg.GPVirtual {
	r := e.parameter(name)
	e.SHLQ(operand.U8(3), r)
	return r
}

// rows are the addresses of the first element of up to 8 rows: odd multiples
// of the stride are registers, even ones are scaled.
func (e *emitter) rows(base, stride reg.GPVirtual, count int) []operand.Mem {
	odd := map[int]reg.GPVirtual{1: stride}
	for i := 3; i < count; i += 2 {
		odd[i] = e.GP64()
		e.LEAQ(operand.Mem{Base: odd[i-2], Index: stride, Scale: 2}, odd[i])
	}
	mems := make([]operand.Mem, count)
	mems[0] = operand.Mem{Base: base}
	for i := 1; i < count; i++ {
		multiple, scale := i, 1
		for multiple%2 == 0 {
			multiple, scale = multiple/2, scale*2
		}
		mems[i] = operand.Mem{Base: base, Index: odd[multiple], Scale: uint8(scale)}
	}
	return mems
}
