package metrics

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/methods"
)

// regressionMeasures are the measures of a regression.
var regressionMeasures = map[string]Measure{
	"excess_risk": {
		Family:    ofRegressions,
		Doc:       "excess risk of a regression, ‖f̂ - f*‖² in L²(P) with f* the known regression function, for the noise of the repeat: a sum over the atoms, of a series in closed form by ⟨e_i, f̂⟩",
		Reference: "Rudi, Carratino & Rosasco 2017, eq 5",
		Cost:      "f̂ at the atoms; of a series p² kernel values and p cosines a term of f* for p points that f̂ is a sum over",
		Outputs: []Output{
			{"excess_risk", "excess risk", Less, ofRegression},
		},
		Cancels: true,
		compute: excessRisk,
	},
}

// excessRisk is E[(f̂(X) − f*(X))² | f̂], which is the excess of the squared error: over
// the points of an empirical population a weighted mean, else ‖f̂‖² − 2Σ b_i⟨e_i, f̂⟩ +
// Σ b_i² in L²(P) for f* = Σ b_i e_i.
//
// Reference: Rudi, Carratino & Rosasco 2017, eq 5.
func excessRisk(e *evaluation, _ int, into Values) error {
	model := e.model.(*methods.Regression)
	if e.HeldOut != nil {
		values, err := model.Predict(e.ctx, e.HeldOut)
		if err != nil {
			return err
		}
		squares := mat.Col(nil, 0, values)
		floats.Sub(squares, e.Response.At(e.HeldOut))
		floats.Mul(squares, squares)
		into["excess_risk"] = floats.Sum(squares) / float64(len(squares))
		if e.Masses != nil {
			into["excess_risk"] = floats.Dot(squares, e.Masses)
		}
		return nil
	}
	b := e.Response.Coef
	moments, err := e.Population.Moments(model.Functions, len(b))
	if errors.Is(err, data.ErrUndefined) {
		err = fmt.Errorf("%w; give coefficients of kernel functions, or take use: atoms, where any function is measured", err)
	}
	if err != nil {
		return err
	}
	square := moments.Cov.At(0, 0) + math.Pow(moments.Mean[0], 2)
	cross := mat.Dot(moments.Eigen.ColView(0), mat.NewVecDense(len(b), b))
	into["excess_risk"] = max(0, square-2*cross+floats.Dot(b, b))
	return nil
}
