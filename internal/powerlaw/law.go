package powerlaw

import (
	"fmt"
	"math"
)

// law is a family of curves with an exponent. shape is the log of the curve at
// log x; it is written with u = log x centred, and centre is what was
// subtracted.
type law struct {
	text  func(over string, exponent float64) string
	shape func(u, centre, exponent, parameter float64) float64
	sizes bool // is meant for sizes, not for numbers about 1
	logs  bool // it has a logarithm

	// Of laws with a parameter, on the whole real line, which at one of its ends
	// leaves the plain power:
	free  bool
	reach float64 // the exponent lies between the slope of the points and reach times it
	early float64 // sign of those exponents that the first points follow, not the last

	slow bool // for exponents, and slopes of the points, between -1 and 0 alone
}

// laws are the plain power, and what a straight line on log–log axes mistakes
// for another power: a quantity that levels off at a floor of noise (or, where
// it grows, starts from an overhead), one whose power has not yet come out, one
// with a second, faster term (of twice the power, or the 1/n of a mean), and those
// with the logarithms that come with rates.
var laws = []law{
	{text: pattern("%s^%.3g"), shape: func(u, _, a, _ float64) float64 { return a * u }},
	{text: pattern("%s^%.3g plus a floor"), free: true, reach: 20, early: -1, shape: func(u, _, a, p float64) float64 {
		return math.Log(math.Exp(a*u) + math.Exp(p))
	}},
	{text: pattern("(%s + a shift)^%.3g"), free: true, reach: 20, shape: func(u, _, a, p float64) float64 {
		return a * math.Log(math.Exp(u)+math.Exp(p))
	}},
	{text: pattern("%s^%.3g plus a term of twice that power"), free: true, reach: 0.75, early: 1, shape: func(u, _, a, p float64) float64 {
		return a*u + math.Log1p(math.Exp(a*u+p))
	}},
	{text: overReciprocal, sizes: true, free: true, reach: 0, slow: true, shape: func(u, _, a, p float64) float64 {
		return math.Log(math.Exp(a*u) + math.Exp(p-u))
	}},
	withLog(pattern("%s^%.3g with a factor log"), func(float64) float64 { return 1 }),
	withLog(pattern("%s^%.3g with a factor 1/log"), func(float64) float64 { return -1 }),
	withLog(logOver, math.Abs),
}

// withLog is the power with a power of the logarithm.
func withLog(text func(string, float64) string, log func(exponent float64) float64) law {
	return law{text: text, sizes: true, logs: true, shape: func(u, centre, a, _ float64) float64 {
		return a*u + log(a)*math.Log(u+centre)
	}}
}

func pattern(format string) func(string, float64) string {
	return func(over string, exponent float64) string { return fmt.Sprintf(format, over, exponent) }
}

func overReciprocal(over string, exponent float64) string {
	return fmt.Sprintf("%s^%.3g plus a term 1/%s", over, exponent, over)
}

func logOver(over string, exponent float64) string {
	if exponent < 0 {
		return fmt.Sprintf("(log/%s)^%.3g", over, -exponent)
	}
	return fmt.Sprintf("(%s log)^%.3g", over, exponent)
}
