package main

import (
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// emitSincos writes sin[i], cos[i] = sin(x[i]), cos(x[i]). The arithmetic of a
// lane is that of sincosFused in package vector.
func emitSincos(ctx *build.Context, set lanes, c constants) {
	e := begin(ctx, set, "sincos", "func(sin, cos, x []float64) int")
	e.Doc("sincos"+e.name+" is sin[i], cos[i] = sin(x[i]), cos(x[i]). It stops before",
		"the first vector with an argument beyond sincosLimit or NaN and returns how",
		"many elements are left.")
	sin, cos, x, n := e.base("sin"), e.base("cos"), e.base("x"), e.length("x")
	sign := e.registerBits("sign", 1<<63)
	magic, one := e.register("magic", c.of("roundingShift")), e.register("one", 1)
	limit, half := e.constant("limit", c.of("sincosLimit")), e.constant("half", 0.5)
	twoOverPi := e.constant("twoOverPi", c.of("twoOverPi"))
	parts := e.polynomial("halfPi", slices.Concat(c["halfPi1"], c["halfPi2"], c["halfPi3"]))
	sinPoly, cosPoly := e.polynomial("sin", c["sinPolynomial"]), e.polynomial("cos", c["cosPolynomial"])

	body := func(t *tail) {
		v := e.load(t, operand.Mem{Base: x})
		r := e.vector()
		e.VANDNPD(v, sign, r) // |x|
		e.VANDPD(sign, v, v)  // sign of x
		e.stopBeyond(r, limit)
		quadrant, k := e.vector(), e.vector()
		e.VMOVAPD(r, quadrant)
		e.VFMADD132PD(twoOverPi, magic, quadrant)
		e.VSUBPD(magic, quadrant, k)
		for _, part := range parts {
			e.VFNMADD231PD(part, k, r)
		}
		z := e.vector()
		e.VMULPD(r, r, z)
		s, cube := e.horner(sinPoly, z), e.vector()
		e.VMULPD(r, z, cube)
		e.VFMADD213PD(r, cube, s)
		p, w, rest := e.horner(cosPoly, z), e.vector(), e.vector()
		e.VMOVAPD(one, w)
		e.VFNMADD231PD(half, z, w) // w = 1 − z/2
		e.VSUBPD(w, one, rest)
		e.VFNMADD231PD(half, z, rest) // what rounding w lost
		e.VMULPD(z, z, z)
		e.VFMADD231PD(p, z, rest)
		e.VADDPD(rest, w, w)

		odd, flip := e.vector(), e.vector()
		e.VPSLLQ(operand.U8(63), quadrant, odd)
		e.VPSLLQ(operand.U8(62), quadrant, flip)
		sine, cosine := e.vector(), e.vector()
		if e.wide() {
			swap := e.K()
			e.VPMOVQ2M(odd, swap)
			e.VBLENDMPD(w, s, swap, sine)
			e.VBLENDMPD(s, w, swap, cosine)
		} else {
			e.VBLENDVPD(odd, w, s, sine)
			e.VBLENDVPD(odd, s, w, cosine)
		}
		e.VXORPD(flip, odd, odd)
		e.VANDPD(sign, odd, odd)
		e.VXORPD(odd, cosine, cosine)
		e.VANDPD(sign, flip, flip)
		e.VXORPD(flip, sine, sine)
		e.VXORPD(v, sine, sine)
		e.store(t, sine, operand.Mem{Base: sin})
		e.store(t, cosine, operand.Mem{Base: cos})
	}
	e.loop(n, []reg.GPVirtual{sin, cos, x}, body)
	e.XORQ(n, n)
	e.Label("stop")
	e.VZEROUPPER()
	e.Store(n, e.ReturnIndex(0))
	e.RET()
}

// stopBeyond jumps to the label stop if a lane is not at most limit, NaN
// included.
func (e *emitter) stopBeyond(v reg.VecVirtual, limit operand.Op) {
	const notLessOrEqual = 6
	if e.wide() {
		k := e.K()
		e.VCMPPD(operand.U8(notLessOrEqual), limit, v, k)
		e.KORTESTB(k, k)
	} else {
		beyond, bits := e.vector(), e.GP32()
		e.VCMPPD(operand.U8(notLessOrEqual), limit, v, beyond)
		e.VMOVMSKPD(beyond, bits)
		e.TESTL(bits, bits)
	}
	e.JNZ(operand.LabelRef("stop"))
}
