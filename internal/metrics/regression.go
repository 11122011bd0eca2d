package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"mercer/data"
	"mercer/internal/lists"
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
	"chosen": {
		Family:    ofChoices,
		Doc:       "the ridge and the multiple of the bandwidth that a method with the key choose took",
		Reference: "a count of this program",
		Cost:      ofFit,
		Outputs: []Output{
			{"chosen_ridge", "ridge that was chosen", Neither, relative},
			{"chosen_bandwidth_times", "bandwidth that was chosen, times", Neither, relative},
		},
		Steps: true,
		compute: func(e *evaluation, _ int, into Values) error {
			if c := e.model.(*methods.Regression).Chosen; c != nil {
				into["chosen_ridge"], into["chosen_bandwidth_times"] = c.Ridge, c.BandwidthTimes
			}
			return nil
		},
	},
	"rmse": ofErrors("root of the mean squared error √(mean (f̂(z) - y)²) at held-out points, in the unit of the responses, also where standardize: true has divided them",
		"scikit-learn, root_mean_squared_error", Output{"rmse", "RMSE, held out", Less, ofLargest},
		func(off residuals) float64 { return off.two / math.Sqrt(off.n) }),
	"mae": ofErrors("mean absolute error, mean |f̂(z) - y| at held-out points, in the unit of the responses, as rmse",
		"scikit-learn, mean_absolute_error", Output{"mae", "mean absolute error, held out", Less, ofLargest},
		func(off residuals) float64 { return off.one / off.n }),
	"nrmse": ofErrors("ratio of rmse to the standard deviation (of divisor N) of the responses of the held-out points: √(1 - r2)",
		"scikit-learn, r2_score", Output{"nrmse", "normalised RMSE, held out", Less, unity},
		func(off residuals) float64 { return off.two / off.spread }),
	"r2": ofErrors("coefficient of determination R² = 1 - Σ(f̂(z) - y)²/Σ(y - ȳ)² over held-out points; negative where f̂ is worse than their mean ȳ",
		"scikit-learn, r2_score", Output{"r2", "R², held out", More, unity},
		func(off residuals) float64 { return 1 - math.Pow(off.two/off.spread, 2) }),
	"class_error": ofPredictions("share of held-out points whose class is not the predicted one: of one-vs-all responses the class of the largest f̂_j, of two classes the second one where f̂ > 0",
		"scikit-learn, RidgeClassifier, zero_one_loss", Output{"class_error", "share of wrong classes, held out", Less, unity},
		func(e *evaluation, predicted *mat.Dense) (float64, bool) { return e.wrongClasses(predicted), true }),
	"accuracy": ofPredictions("1 - class_error",
		"scikit-learn, accuracy_score", Output{"accuracy", "accuracy, held out", More, unity},
		func(e *evaluation, predicted *mat.Dense) (float64, bool) { return 1 - e.wrongClasses(predicted), true }),
	"auc": ofPredictions("area under the ROC curve for two classes: the share of pairs of held-out points, one of each class, in which f̂ is larger at the point of the second class; equal values count half",
		"Mann & Whitney 1947; scikit-learn, roc_auc_score", Output{"auc", "area under the ROC curve, held out", More, unity}, auc),
	"pcg_residual": {
		Family:    ofSolvers,
		Doc:       "relative residual ‖b - Ax‖/‖b‖ of preconditioned conjugate gradients after their last iteration, by their recurrence, and how many iterations they took to tol, without a value where they stopped at max_iter; every measure of a regression that has iterations is a series over them, see x: iteration in docs/plots.md",
		Reference: "Saad 2003, Algorithm 9.1; SciPy, sparse.linalg.cg",
		Cost:      ofFit,
		Outputs: []Output{
			{"pcg_residual", "relative residual", Less, unity},
			{"pcg_iterations", "iterations", Less, exact},
		},
		Steps: true,
		compute: func(e *evaluation, _ int, into Values) error {
			model := e.model.(*methods.Regression)
			if e.iterate < len(model.Residuals) {
				into["pcg_residual"] = model.Residuals[e.iterate]
			}
			if e.iterate == len(model.Residuals)-1 && model.Converged {
				into["pcg_iterations"] = float64(e.iterate)
			}
			return nil
		},
	},
}

// ofPredictions is a measure of classes predicted at held-out points.
func ofPredictions(doc, reference string, output Output, of func(e *evaluation, predicted *mat.Dense) (v float64, defined bool)) Measure {
	m := Measure{Family: ofPredictedClasses, Doc: doc, Reference: reference, Outputs: []Output{output}, Steps: true}
	m.Cost = "f̂ at the held-out points, once for all measures of it"
	m.compute = func(e *evaluation, _ int, into Values) error {
		predicted, err := e.predicted()
		if err != nil {
			return err
		}
		if v, defined := of(e, predicted); defined {
			into[output.Name] = v
		}
		return nil
	}
	return m
}

// ofErrors is a measure of residuals, without a value that divides by 0.
func ofErrors(doc, reference string, output Output, of func(residuals) float64) Measure {
	m := ofPredictions(doc, reference, output, func(e *evaluation, predicted *mat.Dense) (float64, bool) {
		var errors mat.Dense
		errors.Sub(predicted, e.Responses)
		y := mat.Col(nil, 0, e.Responses)
		off := residuals{n: float64(len(y)), one: e.Unit * mat.Norm(&errors, 1), two: e.Unit * mat.Norm(&errors, 2)}
		if floats.Max(y) > floats.Min(y) {
			off.spread = e.Unit * math.Sqrt(off.n) * stat.PopStdDev(y, nil)
		}
		v := of(off)
		return v, off.spread > 0 || v-v == 0
	})
	m.Family, m.Steps = ofResponses, false
	return m
}

// iterates are f̂ for each iterate of a solver, or f̂ alone.
func (e *evaluation) iterates() (f *methods.Regression, count int) {
	model, ok := e.model.(*methods.Regression)
	if !ok || model.Iterates == nil {
		return model, 1
	}
	return &methods.Regression{Functions: model.Iterates}, len(model.Residuals)
}

// predicted are the values of f̂ at the held-out points, N×q.
func (e *evaluation) predicted() (*mat.Dense, error) {
	f, count := e.iterates()
	all, err := shared(e, "predicted", 0, func() (*mat.Dense, error) {
		values, err := f.Predict(e.ctx, e.HeldOut)
		if err == nil && mat.Sum(values)-mat.Sum(values) != 0 {
			err = errors.New("f̂ is not a finite number at every held-out point")
		}
		return values, err
	})
	if err != nil {
		return nil, err
	}
	n, columns := all.Dims()
	q := columns / count
	return all.Slice(0, n, e.iterate*q, (e.iterate+1)*q).(*mat.Dense), nil
}

// residuals are the errors f̂(z) − y at n held-out points, in the unit of the file: their norms, and
// the Euclidean one of the responses less their mean, 0 where these are all equal.
type residuals struct{ n, one, two, spread float64 }

// wrongClasses is the share of the held-out points that are not of the class predicted.
func (e *evaluation) wrongClasses(predicted *mat.Dense) float64 {
	wrong := 0.0
	for i, label := range e.HeldOutLabels {
		row := predicted.RawRowView(i)
		if len(row) == 1 {
			row = []float64{0, row[0]}
		}
		if floats.MaxIdx(row) != label {
			wrong++
		}
	}
	return wrong / float64(len(e.HeldOutLabels))
}

// auc integrates the ROC curve, whose steps at equal values are slopes: n log n.
//
// Reference: Mann & Whitney 1947.
func auc(e *evaluation, predicted *mat.Dense) (area float64, defined bool) {
	second := lists.Map(e.HeldOutLabels, func(label int) bool { return label == 1 })
	if predicted.RawMatrix().Cols != 1 || !slices.Contains(second, true) || !slices.Contains(second, false) {
		return 0, false
	}
	scores := mat.Col(nil, 0, predicted)
	stat.SortWeightedLabeled(scores, second, nil)
	right, wrong, _ := stat.ROC(nil, scores, second, nil)
	return integrate.Trapezoidal(wrong, right), true
}

// excessRisk is E[(f̂(X) − f*(X))² | f̂], which is the excess of the squared error: over
// the points of an empirical population a weighted mean, else ‖f̂‖² − 2Σ b_i⟨e_i, f̂⟩ +
// Σ b_i² in L²(P) for f* = Σ b_i e_i.
//
// Reference: Rudi, Carratino & Rosasco 2017, eq 5.
func excessRisk(e *evaluation, _ int, into Values) error {
	if e.HeldOut != nil {
		values, err := e.predicted()
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
	b, i := e.Response.Coef, e.iterate
	f, _ := e.iterates()
	moments, err := shared(e, "moments of f̂", 0, func() (data.Moments, error) { return e.Population.Moments(f.Functions, len(b)) })
	if errors.Is(err, data.ErrUndefined) {
		err = fmt.Errorf("%w; give coefficients of kernel functions, or take use: atoms, where any function is measured", err)
	}
	if err != nil {
		return err
	}
	square := moments.Cov.At(i, i) + math.Pow(moments.Mean[i], 2)
	cross := mat.Dot(moments.Eigen.ColView(i), mat.NewVecDense(len(b), b))
	into["excess_risk"] = max(0, square-2*cross+floats.Dot(b, b))
	return nil
}
