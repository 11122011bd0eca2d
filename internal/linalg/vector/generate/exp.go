package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// emitExp writes dst[i] = exp(scale·x[i]). The arithmetic of a lane is that of
// expFused in package vector.
func emitExp(ctx *build.Context, set lanes, c constants) {
	e := begin(ctx, set, "exp", "func(dst, x []float64, scale float64)")
	e.Doc("exp" + e.name + " is dst[i] = exp(scale·x[i]).")
	dst, x, n := e.base("dst"), e.base("x"), e.length("x")
	scale := e.vector()
	mem, err := e.Param("scale").Resolve()
	if err != nil {
		panic(err)
	}
	e.VBROADCASTSD(mem.Addr, scale)

	lowest, highest := e.register("lowest", c.of("expLowest")), e.register("highest", c.of("expHighest"))
	magic, one := e.register("magic", c.of("roundingShift")), e.register("one", 1)
	log2e := e.constant("log2e", c.of("log2E"))
	ln2High, ln2Low := e.constant("ln2High", c.of("ln2High")), e.constant("ln2Low", c.of("ln2Low"))
	poly := e.polynomial("poly", c["expPolynomial"])
	half := operand.Op(nil)
	if !e.wide() {
		half = e.constant("half", 0.5)
	}

	body := func(t *tail) {
		v := e.load(t, operand.Mem{Base: x})
		e.VMULPD(scale, v, v)
		e.VMINPD(v, highest, v) // the second operand, so that NaN stays
		e.VMAXPD(v, lowest, v)
		shifted, k := e.vector(), e.vector()
		e.VMOVAPD(v, shifted)
		e.VFMADD132PD(log2e, magic, shifted)
		e.VSUBPD(magic, shifted, k)
		e.VFNMADD231PD(ln2High, k, v)
		e.VFNMADD231PD(ln2Low, k, v)
		p, square := e.horner(poly, v), e.vector()
		e.VMULPD(v, v, square)
		e.VFMADD213PD(v, square, p)
		e.VADDPD(one, p, p)
		if e.wide() {
			e.VSCALEFPD(k, p, p)
		} else {
			e.scale(p, k, half, magic, one)
		}
		e.store(t, p, operand.Mem{Base: dst})
	}
	e.loop(n, []reg.GPVirtual{dst, x}, body)
	e.VZEROUPPER()
	e.RET()
}

// scale multiplies p by 2^k in two steps, neither of which leaves the range of
// the exponent before the result does, so that only the last one rounds.
func (e *emitter) scale(p, k reg.VecVirtual, half operand.Op, magic, one reg.VecVirtual) {
	first, whole := e.vector(), e.vector()
	e.VMOVAPD(k, first)
	e.VFMADD132PD(half, magic, first)
	e.VSUBPD(magic, first, whole)
	e.VSUBPD(whole, k, whole)
	e.VADDPD(magic, whole, whole)
	for _, power := range []reg.VecVirtual{first, whole} {
		e.VPSLLQ(operand.U8(52), power, power)
		e.VPADDQ(one, power, power) // 1.0 is the bias of the exponent in place
		e.VMULPD(power, p, p)
	}
}

// loop runs body over whole vectors and once over the rest. The pointers
// advance by a vector a time.
func (e *emitter) loop(n reg.GPVirtual, pointers []reg.GPVirtual, body func(*tail)) {
	e.CMPQ(n, operand.U8(e.count))
	e.JLT(operand.LabelRef("rest"))
	e.Label("vectors")
	body(nil)
	for _, p := range pointers {
		e.ADDQ(operand.I32(8*e.count), p)
	}
	e.SUBQ(operand.U8(e.count), n)
	e.CMPQ(n, operand.U8(e.count))
	e.JGE(operand.LabelRef("vectors"))
	e.Label("rest")
	e.TESTQ(n, n)
	e.JZ(operand.LabelRef("done"))
	body(e.tail(n))
	e.Label("done")
}
