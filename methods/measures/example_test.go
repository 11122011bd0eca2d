package measures_test

import (
	"context"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/methods/kernels"
	"mercer/methods/measures"
)

// clustersUsed counts the clusters that have points.
func clustersUsed(_ context.Context, _ measures.Truth, model methods.Model, _ int) (measures.Values, error) {
	used := map[int]bool{}
	for _, label := range model.(*methods.Clustering).Labels {
		used[label] = true
	}
	return measures.Values{"clusters_used": float64(len(used))}, nil
}

func Example() {
	measures.Register("clusters_used", measures.Measure{
		Family:    measures.Family{Shapes: []string{methods.ShapeClustering}},
		Doc:       "clusters that have points of the sample",
		Reference: "by definition",
		Cost:      "n steps",
		Outputs:   []measures.Output{{Name: "clusters_used", Label: "clusters used", Better: measures.More}},
	}, clustersUsed)
	values, err := clustersUsed(context.Background(), measures.Truth{}, &methods.Clustering{Clusters: 4, Labels: []int{0, 2, 0, 3}}, 0)
	fmt.Println(values, err)
	// Output: map[clusters_used:3] <nil>
}

// TestOutputs: a measure of one's own stands beside the others, is refused for other shapes with
// a reason, and gives what its outputs name and nothing else.
func TestOutputs(t *testing.T) {
	for _, name := range []string{"dimension", "width"} {
		measures.Register(name, measures.Measure{
			Family: measures.Family{Shapes: []string{methods.ShapeEmbedding}}, Doc: "d", Reference: "none", Cost: "none",
			Outputs: []measures.Output{{Name: name, Label: name}},
		}, func(_ context.Context, _ measures.Truth, model methods.Model, ell int) (measures.Values, error) {
			return measures.Values{"dimension": float64(model.(*methods.Embedding).Dim() + ell)}, nil
		})
	}
	points := mat.NewDense(3, 2, []float64{0, 1, 2, 3, 4, 5})
	model := &methods.Embedding{Functions: kernels.Expansion{Points: points, Coef: mat.NewDense(3, 2, nil)}}
	values, _, err := metrics.Evaluate(t.Context(), measures.Truth{X: points}, model, []int{0}, []string{"dimension"})
	if err != nil || values[0]["dimension"] != 2 {
		t.Errorf("values %v, %v", values, err)
	}
	_, _, stray := metrics.Evaluate(t.Context(), measures.Truth{X: points}, model, []int{0}, []string{"width"})
	other := metrics.Undefined("dimension", methods.Traits{Shape: methods.ShapeRegression}, metrics.Capabilities{})
	for want, err := range map[string]error{
		"width: dimension is none of the measure's outputs":                   stray,
		"dimension is not defined for a regression: it measures an embedding": other,
	} {
		if fmt.Sprint(err) != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}

	defer func() {
		if got, want := fmt.Sprint(recover()), `measure "third": the output width is one of width`; got != want {
			t.Errorf("panics with %q, want %q", got, want)
		}
	}()
	measures.Register("third", measures.Measure{Outputs: []measures.Output{{Name: "width"}}}, nil)
}
