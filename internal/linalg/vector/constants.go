package vector

// These numbers stand in the assembly too: go generate reads them here. TestConstants
// derives them.
const (
	ln2High       = 0x1.62e42fefa39efp-01  // ln 2 rounded
	ln2Low        = 0x1.abc9e3b39803fp-56  // the rest of ln 2
	log2E         = 0x1.71547652b82fep+00  // 1/ln 2
	expLowest     = -0x1.7cp+09            // exp is 0 at and below
	expHighest    = 0x1.68p+09             // exp is +Inf at and above
	halfPi1       = 0x1.921fb54442d18p+00  // π/2 cut to 53 bits
	halfPi2       = 0x1.1a62633145c06p-54  // the next 53 bits
	halfPi3       = 0x1.c1cd129024e08p-107 // the next 53 bits
	twoOverPi     = 0x1.45f306dc9c883p-01  // 2/π
	sincosLimit   = 0x1p+30                // beyond it Sincos uses math.Sincos
	roundingShift = 0x1.8p+52              // 1.5·2⁵²: adding it rounds to an integer that stands in the low bits
)

// expPolynomial is (exp(r) − 1 − r)/r² for |r| ≤ ln 2/2, in ascending powers of r.
var expPolynomial = [10]float64{
	0x1.0000000000001p-01,
	0x1.5555555555556p-03,
	0x1.5555555553d63p-05,
	0x1.11111111109b3p-07,
	0x1.6c16c1788bd9p-10,
	0x1.a01a01a7c41d5p-13,
	0x1.a019b90d2ae7ap-16,
	0x1.71de0dae63bb3p-19,
	0x1.289185613a3d6p-22,
	0x1.af38a9b0ec855p-26,
}

// sinPolynomial is (sin r − r)/r³ for |r| ≤ π/4, in ascending powers of r².
var sinPolynomial = [6]float64{
	-0x1.5555555555555p-03,
	0x1.1111111110bb2p-07,
	-0x1.a01a019e83816p-13,
	0x1.71de379654304p-19,
	-0x1.ae600aca92c64p-26,
	0x1.5e0b05bff20f2p-33,
}

// cosPolynomial is (cos r − 1 + r²/2)/r⁴ for |r| ≤ π/4, in ascending powers of r².
var cosPolynomial = [6]float64{
	0x1.5555555555555p-05,
	-0x1.6c16c16c16967p-10,
	0x1.a01a019f4e9b4p-16,
	-0x1.27e4fa17bf139p-22,
	0x1.1eeb68cd22f56p-29,
	-0x1.907d8f29fe831p-37,
}
