package metrics

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"mercer/internal/lists"
	"mercer/methods"
)

// Names lists the measures in alphabetical order.
func Names() []string { return slices.Sorted(maps.Keys(Registry)) }

var eigenvalueName = regexp.MustCompile(`^eigenvalue_[1-9][0-9]*$`)

var firstEigenvalue = Output{"eigenvalue_1", "first eigenvalue", Neither, firstValue}

// Eigenvalues are the outputs of the first ℓ eigenvalues.
func Eigenvalues(ell int) []Output {
	outputs := make([]Output, ell)
	for i := range outputs {
		outputs[i].Name = fmt.Sprintf("eigenvalue_%d", i+1)
	}
	if ell > 0 {
		outputs[0] = firstEigenvalue
	}
	return outputs
}

// MeasureOf is the name of the measure that yields a metric, such as "eigenvalues"
// for eigenvalue_3; empty for none.
func MeasureOf(metric string) string {
	if eigenvalueName.MatchString(metric) {
		return "eigenvalues"
	}
	for name, measure := range Registry {
		if slices.ContainsFunc(measure.Outputs, func(o Output) bool { return o.Name == metric }) {
			return name
		}
	}
	return ""
}

// Undefined says why a measure is not defined for the models of a method on a data
// set; nil where it is. Whether there are classes shows only when the data are
// opened.
func Undefined(measure string, of methods.Traits, offer Capabilities) error {
	if err := undefined(measure, of.Shape, offer); err != nil {
		return err
	}
	if lacks := Registry[measure].lacks; lacks != nil {
		if reason := lacks(of); reason != "" {
			return fmt.Errorf("%s is not defined here: %s", measure, reason)
		}
	}
	return nil
}

func undefined(measure, shape string, offer Capabilities) error {
	m, known := Registry[measure]
	switch {
	case !known:
		return fmt.Errorf("unknown measure %q", measure)
	case !slices.Contains(m.Shapes, shape):
		return fmt.Errorf("%s is not defined for %s: %s", measure, withArticle(shape), m.whyNot(shape))
	case m.has(NeedsPopulation) && !offer.Population:
		return fmt.Errorf("%s needs a population: add population: self, test or {held_out: N} to the data set", measure)
	case m.has(NeedsResponse) && !offer.Response:
		return fmt.Errorf("%s needs a regression function that is known: take atoms or series, with the key response", measure)
	case m.has(NeedsResponses) && !offer.Responses:
		return fmt.Errorf("%s needs responses that were measured: name their column or file in the data set (response: or responses:)", measure)
	case m.has(NeedsPredicted) && !offer.Classes:
		return fmt.Errorf("%s needs classes that are predicted: name their column or file (label: or labels:), and no response, in the data set", measure)
	case (m.has(NeedsResponses) || m.has(NeedsPredicted)) && (offer.Self || !offer.HeldOut):
		return fmt.Errorf("%s needs points that are not in the sample: give the data set split: {test: 0.1} or {folds: 10}, or population: test or {held_out: N}; that of population: self would be an error of training", measure)
	case m.has(NeedsHeldOut) && !offer.HeldOut:
		return fmt.Errorf("%s needs held-out points: take a data set of points and add population: self, test or {held_out: N} to it", measure)
	}
	return nil
}

func withArticle(shape string) string {
	if shape == methods.ShapeEmbedding {
		return "an " + shape
	}
	return "a " + shape
}

// Missing says why the models of a method have no value of a metric on a data set; nil
// where they may have one.
func Missing(metric string, of methods.Traits, offer Capabilities) error {
	if err := Undefined(MeasureOf(metric), of, offer); err != nil {
		return err
	}
	full, cut := strings.CutSuffix(metric, ofCut)
	own, inOwn := strings.CutPrefix(metric, embeddingCost)
	switch {
	case strings.HasPrefix(metric, "matrix_") && of.Cut == methods.CutAlways && !cut:
		return fmt.Errorf("%s is of a K̂ on the whole span of a method, and this one has the leading directions alone; take %s%s", metric, metric, ofCut)
	case strings.HasPrefix(metric, "matrix_") && of.Cut == methods.CutNever && cut:
		return fmt.Errorf("%s is of a K̂ on the leading directions of a method alone; take %s", metric, full)
	case inOwn && (of.Space == methods.SpaceSpan || of.Space == methods.SpaceH):
		return fmt.Errorf("%s is in a space of the method's own, and this one measures in H; take cluster_cost%s", metric, own)
	case strings.HasPrefix(metric, "cluster_cost") && !inOwn && of.Space == "":
		return fmt.Errorf("%s is in H, and this method measures in a space of its own; take %s", metric, strings.Replace(metric, "cluster_cost", embeddingCost, 1))
	case strings.HasSuffix(metric, "_test") && !offer.HeldOut:
		return fmt.Errorf("%s needs held-out points: add population: self, test or {held_out: N} to the data set", metric)
	}
	return nil
}

// embeddingCost begins the metrics of costs in spaces of the methods' own.
const embeddingCost = "cluster_cost_embedding"

// OwnSpace says that the values of a metric under methods of different kinds are distances
// in different spaces: they must not be compared.
func OwnSpace(metric string) bool { return strings.HasPrefix(metric, embeddingCost) }

// IsPart says that a metric is a part of a cost, such as time_factor, of which no method is
// the better: methods divide their work each in its own way, and some have landmarks or a
// phase that others have not.
func IsPart(metric string) bool {
	return MeasureOf(metric) == "time" && metric != "time_total" || metric == "kernel_entries_landmarks"
}

// Absent says of each measure of a record that has no value, or none at held-out points
// with classes, why; values are all metrics of the record.
func Absent(measures []string, values Values, heldOut bool) (caveats []string) {
	for _, name := range measures {
		m := Registry[name]
		ofTest := func(output string) bool { return strings.HasSuffix(output, "_test") }
		isThere := func(output string) bool { _, ok := values[output]; return ok }
		there := lists.Where(m.Metrics(), isThere)
		switch {
		case m.compute == nil:
		case len(there) == 0:
			caveats = append(caveats, fmt.Sprintf("no value of %s: %s", name, cmp.Or(m.absent, "this model has none")))
		case heldOut && slices.ContainsFunc(m.Metrics(), ofTest) && !slices.ContainsFunc(there, ofTest):
			caveats = append(caveats, fmt.Sprintf("no value of %s at held-out points: %s", name, m.absent))
		}
	}
	return caveats
}

var (
	share       = [2]float64{0, 1}
	nonNegative = [2]float64{0, math.Inf(1)}
)

// ranges are those of the measures and outputs that have a least or a greatest value.
var ranges = map[string][2]float64{
	"rand": share, "nmi": share, "adjusted_rand": {-1, 1}, "silhouette": {-1, 1},
	"recon_h": nonNegative, "recon_l2": nonNegative, "embed_recon_l2": nonNegative, "eigenspace_l2": nonNegative,
	"eigenfunction_l2": nonNegative, "rmse": nonNegative, "mae": nonNegative, "nrmse": nonNegative, "pcg_residual": nonNegative,
	"class_error": share, "accuracy": share, "auc": share, "cluster_cost": nonNegative, "partition_cost": nonNegative, "time": nonNegative, "transform": nonNegative,
}

// Range is the least and the greatest value that a metric can have, nil where there is none.
func Range(metric string) (least, most *float64) {
	r, known := ranges[metric]
	if !known {
		r, known = ranges[MeasureOf(metric)]
	}
	if !known {
		return nil, nil
	}
	if math.IsInf(r[1], 1) {
		return &r[0], nil
	}
	return &r[0], &r[1]
}
