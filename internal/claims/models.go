package claims

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Model is one of the laws that a slope claim's points may follow, the best by
// AICc first. Exponent is the one with which the law has the mean slope of the
// points, and, where it has one more parameter, their curvature. AICc is known
// up to a constant that the laws of a verdict share; laws whose Delta, the
// difference to the best, is below 2 count as indistinguishable from it.
type Model struct {
	Law      string  `json:"law"`
	Exponent float64 `json:"exponent"`
	AICc     float64 `json:"aicc"`
	Delta    float64 `json:"delta"`
}

// models compares the laws by AICc. Sizes of one repeat share their samples, so
// only repeats are independent: each gives a slope and a curvature, two numbers
// that are taken for normal with an unknown covariance, and each law says what
// their means are, with one number free (the exponent) or two. Fewer than 5
// repeats, for which AICc is infinite, give no models.
//
// Reference: Satoh, Kobayashi & Fujikoshi, Variable selection for the growth
// curve model, J. Multivariate Anal. 60 (1997), for AICc with unknown
// covariance; Burnham & Anderson, Model Selection and Multimodel Inference
// (2002), section 2.6, for differences below 2.
func (f powerFit) models(over string) []Model {
	repeats := float64(len(f.slopes))
	if repeats < 5 {
		return nil
	}
	var all []Model
	for _, l := range laws {
		m, ok := f.fit(l, math.Inf(-1), math.Inf(1))
		if !ok {
			continue
		}
		all = append(all, Model{Law: l.text(over, m.exponent), Exponent: m.exponent, AICc: aicc(m, repeats)})
	}
	slices.SortStableFunc(all, func(a, b Model) int { return cmp.Compare(a.AICc, b.AICc) })
	for i := range all {
		all[i].Delta = all[i].AICc - all[0].AICc
	}
	return all
}

// aicc is that of a law with its exponent free. The likelihood, maximised over
// the covariance and along the law, is that of Hotelling's T² of the one
// combination that the law fixes; a law with two numbers free fixes none.
func aicc(m lawFit, repeats float64) float64 {
	if m.saturated {
		return penalty(repeats, 2, 2)
	}
	gap, variance := stat.MeanVariance(m.gap, nil)
	t2 := repeats * gap * gap / (variance + roundingSlack*roundingSlack)
	return repeats*math.Log1p(t2/(repeats-1)) + penalty(repeats, 2, 1)
}

// penalty is what AICc adds for the mean of q normal numbers having p free
// parameters, their covariance being unknown: the expectation of -2 log of the
// likelihood that the fit gives to as many new repeats, less the part that the
// maximised likelihood has. The q-p combinations that the law fixes have mean
// zero, and the p others are regressed on them, with moments of inverse Wishart
// matrices. It needs more than q+2 repeats, and tends to 2p and a constant.
func penalty(repeats, q, p float64) float64 {
	fixed := q - p
	return repeats*repeats*fixed/(repeats-fixed-1) +
		repeats*p*(repeats+1)*(repeats-2)/((repeats-q-2)*(repeats-fixed-2))
}
