package methods_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// spoiltPartition changes what a partition answers.
type spoiltPartition struct {
	methods.Partition
	change func(labels []int, squared []float64)
}

func (s spoiltPartition) Assign(ctx context.Context, x *mat.Dense) ([]int, []float64, error) {
	labels, squared, err := s.Partition.Assign(ctx, x)
	if err == nil {
		s.change(labels, squared)
	}
	return labels, squared, err
}

// rowNoise makes images depend on their place in a block.
type rowNoise struct{ kernel.Functions }

func (f rowNoise) Eval(x *mat.Dense) *mat.Dense {
	z := f.Functions.Eval(x)
	z.Apply(func(i, _ int, v float64) float64 { return v * (1 + 1e-3*float64(i)) }, z)
	return z
}

// TestSuiteFindsMistakesOfEmbeddings makes embeddings and clusterings wrong on
// purpose: the suite must fail them, in the checks that are named.
func TestSuiteFindsMistakesOfEmbeddings(t *testing.T) {
	const (
		projection = "an isometric embedding is a projection"
		own        = "sample points are assigned to their own clusters"
		distances  = "distances are those to the nearest mean"
	)
	all := embeddings(t)
	for name, v := range clusterings() {
		all[name] = v
	}
	embedded := func(change func(*methods.Embedding)) func(methods.Method) methods.Method {
		return func(m methods.Method) methods.Method {
			return spoilt{m, nil, func(_ methods.Sample, model methods.Model) { change(model.(*methods.Embedding)) }}
		}
	}
	assigned := func(change func(labels []int, squared []float64)) func(methods.Method) methods.Method {
		return func(m methods.Method) methods.Method {
			return spoilt{m, nil, func(_ methods.Sample, model methods.Model) {
				c := model.(*methods.Clustering)
				c.Partition = spoiltPartition{c.Partition, change}
			}}
		}
	}
	for _, tt := range []struct {
		mistake, variant string
		spoil            func(methods.Method) methods.Method
		fails            string
	}{
		{"coordinates not divided by √λ", "nystrom-embedding", embedded(func(e *methods.Embedding) {
			f := e.Functions.(kernel.Expansion)
			f.Coef.Scale(3, f.Coef)
		}), projection},
		{"it is called isometric", "kpca-subsample", embedded(func(e *methods.Embedding) { e.Isometric = true }), "embeddings have the promised shape and size"},
		{"images depend on their neighbours", "rff-embedding", embedded(func(e *methods.Embedding) { e.Functions = rowNoise{e.Functions} }), "images are those of single points"},
		{"an offset is lost", "kjl first centred", embedded(func(e *methods.Embedding) { e.Offset = e.Offset[:1] }), "embeddings have the promised shape and size"},
		{"fewer dimensions without a word", "nystrom-embedding first full", embedded(func(e *methods.Embedding) { e.Warnings = nil }), "rank below d keeps fewer dimensions and warns"},
		{"labels are another clustering's", "kmeans", assigned(func(labels []int, _ []float64) { labels[3] = 1 - labels[3] }), own},
		{"a negative distance", "kernel-kmeans", assigned(func(_ []int, squared []float64) { squared[0] = -1e-9 }), own},
		{"distances are not squared", "kmeans", assigned(func(_ []int, squared []float64) { squared[0] *= squared[0] }), distances},
		{"what the projection leaves is left out", "nystrom-embedding clustered", func(m methods.Method) methods.Method {
			return spoilt{m, nil, func(_ methods.Sample, model methods.Model) {
				c := model.(*methods.Clustering)
				e := *c.Embedding
				e.Isometric = false
				c.Embedding = &e
			}}
		}, distances},
	} {
		t.Run(tt.mistake+" in "+tt.variant, func(t *testing.T) {
			s := all[tt.variant].build(t)
			if failures := failuresOf(s, tt.fails); len(failures) > 0 {
				t.Errorf("the method without the mistake fails: %v", failures)
			}
			s.Method = tt.spoil(s.Method)
			if failures := failuresOf(s, tt.fails); failures[tt.fails] == nil {
				t.Errorf("%q passes", tt.fails)
			}
		})
	}
}
