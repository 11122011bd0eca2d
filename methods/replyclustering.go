package methods

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// clustering reads labels and, where there are any, the centres: in the input
// space, in the embedding of coef, or in H.
func (r *reply) clustering(ctx context.Context) (Model, error) {
	if err := r.Only("model: clustering", "labels", "centers", "center_coef", "points", "indices", "coef", "offset", "isometric", "map", "assign"); err != nil {
		return nil, err
	}
	n, _ := r.problem.X.Dims()
	labels, err := r.served.labels(r.Labels, n, r.sizes.K)
	if err != nil {
		return nil, err
	}
	c := &Clustering{Clusters: r.sizes.K, Labels: labels, Iterations: r.Iterations, Warnings: r.warnings}
	if c.Partition, err = r.partition(ctx, c); err != nil {
		return nil, err
	}
	if c.Distances() == "" {
		return c, nil
	}
	assigned, _, err := c.Assign(ctx, r.problem.X)
	if err != nil {
		return nil, err
	}
	elsewhere := 0
	for i, label := range labels {
		if label != assigned[i] {
			elsewhere++
		}
	}
	if elsewhere > 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%d of %d labels are not those of the nearest centre", elsewhere, n))
	}
	return c, nil
}

// partition sets the embedding of c, too, where the centres lie in one.
func (r *reply) partition(ctx context.Context, c *Clustering) (Partition, error) {
	switch {
	case r.Assign:
		if r.Centers != nil || r.CenterCoef != nil || r.Coef != nil || r.Map {
			return nil, errors.New("answer: assign excludes centers, center_coef, coef and map: the program assigns points itself")
		}
		return r.serves("assign", r.sizes.K), nil
	case r.CenterCoef != nil:
		if r.Centers != nil || r.Coef != nil || r.Map {
			return nil, errors.New("answer: center_coef, centres in H, excludes centers, coef and map")
		}
		return r.centersInH()
	case r.Centers == nil && (r.Coef != nil || r.Map):
		return nil, errors.New("answer: centers is missing: one a row, in the embedding of coef or map")
	case r.Centers == nil:
		return labelsOnly{}, nil
	}
	centers, err := r.served.program.Scratch.ReadMatrix("centers", r.Centers)
	if err != nil {
		return nil, err
	}
	_, dim := r.problem.X.Dims()
	if r.Coef == nil && !r.Map {
		c.Embedding = &Embedding{Functions: inputSpace(dim)}
	} else if c.Embedding, err = r.embedding(ctx); err != nil {
		return nil, err
	}
	if k, d := centers.Dims(); k != r.sizes.K || d != c.Embedding.Dim() {
		return nil, fmt.Errorf("centers: an array of %d×%d: want k = %d rows of %d numbers", k, d, r.sizes.K, c.Embedding.Dim())
	}
	return &embeddedCentres{c.Embedding, r.problem.Kernel, centers}, nil
}

func (r *reply) centersInH() (Partition, error) {
	functions, err := r.expansion("center_coef", r.CenterCoef)
	if err != nil {
		return nil, err
	}
	if functions.Len() != r.sizes.K {
		return nil, fmt.Errorf("center_coef: %d centres, and k = %d were asked for", functions.Len(), r.sizes.K)
	}
	gram, err := innerProducts(functions)
	if err != nil {
		return nil, err
	}
	norms := make([]float64, functions.Len())
	for i := range norms {
		norms[i] = gram.At(i, i)
	}
	return centersInH{functions, norms}, nil
}

// centersInH assigns to the nearest function: ‖k(·,x) − c‖² = k(x,x) − 2c(x) + ‖c‖².
type centersInH struct {
	functions kernel.Expansion
	norms     []float64 // ‖c‖²
}

func (c centersInH) Assign(ctx context.Context, x *mat.Dense) ([]int, []float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	values := c.functions.Eval(x)
	n, k := values.Dims()
	labels, squared := make([]int, n), make([]float64, n)
	distances := make([]float64, k)
	for i := range n {
		at := x.RawRowView(i)
		for j, v := range values.RawRowView(i) {
			distances[j] = c.norms[j] - 2*v
		}
		labels[i] = floats.MinIdx(distances)
		squared[i] = max(0, c.functions.Kernel.At(at, at)+distances[labels[i]])
	}
	return labels, squared, nil
}

func (centersInH) Distances() string { return "H" }

// ErrNoCenters is the error of assigning points to clusters that have labels
// alone.
var ErrNoCenters = errors.New("the program gave labels and no centres: other points cannot be assigned to its clusters")

// labelsOnly assigns nothing.
type labelsOnly struct{}

func (labelsOnly) Assign(context.Context, *mat.Dense) ([]int, []float64, error) {
	return nil, nil, ErrNoCenters
}

func (labelsOnly) Distances() string { return "" }
