package metrics

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/methods"
)

// excessRisk is E[(f̂(X) − f*(X))² | f̂], which is the excess of the squared error: over
// the points of an empirical population a weighted mean, else ‖f̂‖² − 2Σ b_i⟨e_i, f̂⟩ +
// Σ b_i² in L²(P) for f* = Σ b_i e_i.
//
// Reference: Rudi, Carratino & Rosasco 2017, eq 5.
func (e *evaluation) excessRisk(into map[string]float64) error {
	f := e.model.(*methods.Regression).Functions
	if e.HeldOut != nil {
		errors := mat.Col(nil, 0, f.Eval(e.HeldOut))
		floats.Sub(errors, e.Response.At(e.HeldOut))
		floats.Mul(errors, errors)
		into["excess_risk"] = floats.Sum(errors) / float64(len(errors))
		if e.Masses != nil {
			into["excess_risk"] = floats.Dot(errors, e.Masses)
		}
		return nil
	}
	b := e.Response.Coef
	moments, err := e.Population.Moments(f, len(b))
	if err != nil {
		return err
	}
	square := moments.Cov.At(0, 0) + math.Pow(moments.Mean[0], 2)
	cross := mat.Dot(moments.Eigen.ColView(0), mat.NewVecDense(len(b), b))
	into["excess_risk"] = max(0, square-2*cross+floats.Dot(b, b))
	return nil
}
