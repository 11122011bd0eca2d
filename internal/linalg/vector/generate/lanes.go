package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes is a vector instruction set, and how many float64 are in its registers.
type lanes struct {
	name  string
	count int
}

var (
	avx512 = lanes{"AVX512", 8}
	avx2   = lanes{"AVX2", 4}
)

// wide says that registers have 512 bits, not 256.
func (l lanes) wide() bool { return l.count == 8 }

// emitter writes one function of one instruction set.
type emitter struct {
	*build.Context
	lanes
	stem string // of the names of constants
}

// begin starts a function, whose name gets that of the set behind it.
func begin(ctx *build.Context, set lanes, name, signature string) *emitter {
	ctx.Function(name + set.name)
	ctx.Pragma("noescape")
	ctx.Attributes(attr.NOSPLIT)
	ctx.SignatureExpr(signature)
	return &emitter{ctx, set, name}
}

func (e *emitter) vector() reg.VecVirtual {
	if e.wide() {
		return e.ZMM()
	}
	return e.YMM()
}

// table declares a read-only constant, repeated to the width of a register of
// AVX2.
func (e *emitter) table(name string, bits uint64) operand.Mem {
	mem := e.StaticGlobal(fmt.Sprintf("%s%s_%s", e.stem, e.name, name))
	e.DataAttributes(attr.RODATA | attr.NOPTR)
	for range 4 {
		e.AppendDatum(operand.U64(bits))
	}
	return mem
}

// constant is a vector of equal numbers. AVX-512 has registers for them all;
// with AVX2 it is a memory operand.
func (e *emitter) constant(name string, v float64) operand.Op {
	if e.wide() {
		return e.register(name, v)
	}
	return e.table(name, math.Float64bits(v))
}

// register is a constant held in a register in either set.
func (e *emitter) register(name string, v float64) reg.VecVirtual {
	return e.registerBits(name, math.Float64bits(v))
}

func (e *emitter) registerBits(name string, bits uint64) reg.VecVirtual {
	r := e.vector()
	e.VBROADCASTSD(e.table(name, bits), r)
	return r
}

// polynomial declares the coefficients, in ascending powers.
func (e *emitter) polynomial(name string, c []float64) []operand.Op {
	ops := make([]operand.Op, len(c))
	for i, v := range c {
		ops[i] = e.constant(fmt.Sprintf("%s%d", name, i), v)
	}
	return ops
}

// horner evaluates a polynomial at x, one fused multiply-add a coefficient.
func (e *emitter) horner(c []operand.Op, x reg.VecVirtual) reg.VecVirtual {
	p := e.vector()
	e.VMOVUPD(c[len(c)-1], p)
	for i := len(c) - 2; i >= 0; i-- {
		e.VFMADD213PD(c[i], x, p)
	}
	return p
}

// tail is what restricts loads and stores to the last n lanes of a slice,
// n being less than the width of a register.
type tail struct {
	k reg.OpmaskVirtual // AVX-512
	v reg.VecVirtual    // AVX2
}

func (e *emitter) tail(n reg.GPVirtual) *tail {
	if e.wide() {
		mask, k := e.GP64(), e.K()
		e.MOVQ(operand.I64(-1), mask)
		e.BZHIQ(n, mask, mask)
		e.KMOVB(mask.As32(), k)
		return &tail{k: k}
	}
	ones := e.StaticGlobal(e.stem + "_tail")
	e.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 8 {
		e.AppendDatum(operand.U64(^uint64(0) * uint64((7-i)/4)))
	}
	address, v := e.GP64(), e.YMM()
	e.LEAQ(ones.Offset(32), address)
	shift := e.GP64()
	e.MOVQ(n, shift)
	e.NEGQ(shift)
	e.VMOVUPD(operand.Mem{Base: address, Index: shift, Scale: 8}, v)
	return &tail{v: v}
}

// load reads a vector; lanes outside the tail become 0.
func (e *emitter) load(t *tail, from operand.Mem) reg.VecVirtual {
	v := e.vector()
	switch {
	case t == nil:
		e.VMOVUPD(from, v)
	case e.wide():
		e.VMOVUPD_Z(from, t.k, v)
	default:
		e.VMASKMOVPD(from, t.v, v)
	}
	return v
}

func (e *emitter) store(t *tail, v reg.VecVirtual, to operand.Mem) {
	switch {
	case t == nil:
		e.VMOVUPD(v, to)
	case e.wide():
		e.VMOVUPD(v, t.k, to)
	default:
		e.VMASKMOVPD(v, t.v, to)
	}
}

// parameter loads an argument into a new general register.
func (e *emitter) parameter(name string) reg.GPVirtual {
	return e.Load(e.Param(name), e.GP64()).(reg.GPVirtual)
}

// base loads the address of the first element of a slice.
func (e *emitter) base(name string) reg.GPVirtual {
	return e.Load(e.Param(name).Base(), e.GP64()).(reg.GPVirtual)
}

// length loads the length of a slice.
func (e *emitter) length(name string) reg.GPVirtual {
	return e.Load(e.Param(name).Len(), e.GP64()).(reg.GPVirtual)
}
