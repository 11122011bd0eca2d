package methods

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// clustering has labels and, where there are any, the centres: in the input
// space, in the embedding of coef, or in H.
func (r answer) clustering(ctx context.Context) (Model, error) {
	n, _ := r.sample.X.Dims()
	k := r.sample.Sizes.K
	labels, err := r.Integers("labels", n, k)
	if err != nil {
		return nil, err
	}
	c := &Clustering{Clusters: k, Labels: labels, Iterations: r.Iterations, Warnings: r.Warnings}
	if err := r.divide(ctx, c, k); err != nil || c.Distances() == "" {
		return c, err
	}

	assigned, _, err := c.Assign(ctx, r.sample.X)
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

// divide sets the partition of c, and its embedding where the centres lie in one.
func (r answer) divide(ctx context.Context, c *Clustering, k int) (err error) {
	inEmbedding := r.Arrays["coef"] != nil || r.Says["map"]
	switch {
	case r.Says["assign"]:
		c.Partition = &served{r.process, "assign", k}
		return nil
	case r.Arrays["center_coef"] != nil:
		c.Partition, err = r.centersInH(k)
		return err
	case r.Arrays["centers"] == nil && !inEmbedding:
		c.Partition = labelsOnly{}
		return nil
	}

	_, dim := r.sample.X.Dims()
	c.Embedding = &Embedding{Functions: inputSpace(dim)}
	if inEmbedding {
		if c.Embedding, err = r.embedding(ctx); err != nil {
			return err
		}
	}
	centers, err := r.Array("centers", k, c.Embedding.Dim())
	c.Partition = &embeddedCentres{c.Embedding, r.sample.Kernel, centers}
	return err
}

func (r answer) centersInH(k int) (Partition, error) {
	functions, err := r.functions("center_coef", k)
	if err != nil {
		return nil, err
	}
	gram, err := innerProducts(functions)
	if err != nil {
		return nil, err
	}
	norms := make([]float64, k)
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
	distances, norms := make([]float64, k), kernel.Diagonal(c.functions.Kernel, x)
	for i := range n {
		for j, v := range values.RawRowView(i) {
			distances[j] = c.norms[j] - 2*v
		}
		labels[i] = floats.MinIdx(distances)
		squared[i] = max(0, norms[i]+distances[labels[i]])
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
