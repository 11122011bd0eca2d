package vector

import (
	"math"
	"math/big"
	"testing"
)

// every runs a test on each code path that the processor has.
func every(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	best := detect()
	for set := portable; set <= best; set++ {
		t.Run(set.String(), func(t *testing.T) {
			active = set
			defer func() { active = best }()
			test(t)
		})
	}
}

// pair is an unevaluated sum high + low with about 106 bits.
type pair struct{ high, low float64 }

func quickSum(a, b float64) pair {
	s := a + b
	return pair{s, b - (s - a)}
}

func sum(a, b float64) pair {
	s := a + b
	t := s - a
	return pair{s, (a - (s - t)) + (b - t)}
}

func (p pair) times(q pair) pair {
	h := float64(p.high * q.high) // the conversion forbids the compiler a fused addition
	e := math.FMA(p.high, q.high, -h)
	return quickSum(h, e+(float64(p.high*q.low)+float64(p.low*q.high)))
}

func (p pair) plus(q pair) pair {
	s := sum(p.high, q.high)
	return quickSum(s.high, s.low+(p.low+q.low))
}

// pairOf rounds to a pair.
func pairOf(x *big.Float) pair {
	h, _ := x.Float64()
	l, _ := new(big.Float).SetPrec(300).Sub(x, new(big.Float).SetFloat64(h)).Float64()
	return pair{h, l}
}

// series are the reference's constants: ln 2 and π/2 in parts whose products
// with an integer below 2³¹ are exact, and inverse factorials.
type series struct {
	ln2, halfPi [7]float64
	inverse     [30]pair
}

const (
	ln2Digits    = "0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863327"
	halfPiDigits = "1.570796326794896619231321691639751442098584699687552910487472296153908203143104499314017413"
)

func newSeries() *series {
	var s series
	for i, digits := range []string{ln2Digits, halfPiDigits} {
		rest, _ := new(big.Float).SetPrec(300).SetString(digits)
		parts := [2]*[7]float64{&s.ln2, &s.halfPi}[i]
		for j := range parts {
			cut := new(big.Float).SetPrec(22).SetMode(big.ToZero).Set(rest)
			if j == len(parts)-1 {
				cut = rest
			}
			parts[j], _ = cut.Float64()
			rest = new(big.Float).SetPrec(300).Sub(rest, cut)
		}
	}
	factorial := new(big.Float).SetPrec(300).SetInt64(1)
	for i := range s.inverse {
		if i > 0 {
			factorial.Mul(factorial, new(big.Float).SetInt64(int64(i)))
		}
		s.inverse[i] = pairOf(new(big.Float).SetPrec(300).Quo(new(big.Float).SetInt64(1), factorial))
	}
	return &s
}

// reduce is x − k·constant.
func reduce(x, k float64, parts *[7]float64) pair {
	r := pair{high: x}
	for _, c := range parts {
		h := float64(k * c)
		r = r.plus(pair{-h, -math.FMA(k, c, -h)})
	}
	return r
}

// exp is exp(x) = (high + low)·2^k to about 100 bits.
func (s *series) exp(x float64) (pair, int) {
	k := math.Round(x / math.Ln2)
	r := reduce(x, k, &s.ln2)
	p := s.inverse[len(s.inverse)-1]
	for i := len(s.inverse) - 2; i >= 0; i-- {
		p = p.times(r).plus(s.inverse[i])
	}
	return p, int(k)
}

// sincos is to about 100 bits for |x| ≤ 2³⁰, relative to the result's size
// unless it is below 1e-17.
func (s *series) sincos(x float64) (sin, cos pair) {
	k := math.Round(x / (math.Pi / 2))
	r := reduce(x, k, &s.halfPi)
	z := r.times(r)
	z.high, z.low = -z.high, -z.low
	for i := 26; i >= 0; i -= 2 {
		cos = cos.times(z).plus(s.inverse[i])
		sin = sin.times(z).plus(s.inverse[i+1])
	}
	sin = sin.times(r)
	n := int64(k)
	if n&1 != 0 {
		sin, cos = cos, sin
	}
	if n&2 != 0 {
		sin.high, sin.low = -sin.high, -sin.low
	}
	if (n+1)&2 != 0 {
		cos.high, cos.low = -cos.high, -cos.low
	}
	return sin, cos
}

// ulps is the distance of got from want·2^k in units of the last place of the
// float64 next to the latter.
func ulps(got float64, want pair, k int) float64 {
	_, e := math.Frexp(want.high) // |want| in [½, 1)·2^e
	unit := max(e+k-53, -1074)    // of the last place
	if math.IsInf(got, 1) && e+k > 1024 {
		return 0
	}
	// Two steps keep the scaling exact: got/unit is an integer below 2⁵³.
	scaled := math.Ldexp(math.Ldexp(got, -unit/2), -unit+unit/2)
	return math.Abs(scaled - math.Ldexp(want.high, k-unit) - math.Ldexp(want.low, k-unit))
}

// TestReference compares the compensated series with big.Float.
func TestReference(t *testing.T) {
	s := newSeries()
	exact := func(x float64, term func(i int) bool) *big.Float {
		sum, power := new(big.Float).SetPrec(600), new(big.Float).SetPrec(600).SetInt64(1)
		for i := range 200 {
			if i > 0 {
				power.Mul(power, new(big.Float).SetFloat64(x))
				power.Quo(power, new(big.Float).SetInt64(int64(i)))
			}
			if !term(i) {
				continue
			}
			sum.Add(sum, power)
		}
		return sum
	}
	check := func(name string, x float64, got pair, k int, want *big.Float) {
		t.Helper()
		value := new(big.Float).SetPrec(300).SetFloat64(got.high)
		value.Add(value, new(big.Float).SetFloat64(got.low))
		value.SetMantExp(value, k)
		quotient, _ := new(big.Float).Sub(new(big.Float).Quo(value, want), new(big.Float).SetInt64(1)).Float64()
		if math.Abs(quotient) > 0x1p-95 {
			t.Errorf("%s(%v) of the reference: relative error %g", name, x, quotient)
		}
	}
	for _, x := range []float64{1e-9, 0.3, -0.7, 1, -1.5707963267948966, 3.141592653589793, -9.25, 22, 31.4} {
		p, k := s.exp(x)
		check("exp", x, p, k, exact(x, func(int) bool { return true }))
		// Σ over even terms is cosh; with the sign of i/2 it is cos.
		sin, cos := s.sincos(x)
		alternating := func(odd int) *big.Float {
			positive := exact(x, func(i int) bool { return i%2 == odd && i%4 < 2 })
			return positive.Sub(positive, exact(x, func(i int) bool { return i%2 == odd && i%4 >= 2 }))
		}
		check("sin", x, sin, 0, alternating(1))
		check("cos", x, cos, 0, alternating(0))
	}
}
