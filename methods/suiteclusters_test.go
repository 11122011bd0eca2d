package methods_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/methods"
)

func clusteringShape(s Subject, c sample, m *methods.Clustering) error {
	distances := "embedding"
	if s.Isometric {
		distances = "H"
	}
	switch {
	case methods.ShapeOf(m) != s.Shape:
		return fmt.Errorf("the model is a %s, want a %s", methods.ShapeOf(m), s.Shape)
	case m.Clusters != c.sizes.K || len(m.Labels) != c.sizes.N:
		return fmt.Errorf("%d labels of %d points, %d clusters, want %d", len(m.Labels), c.sizes.N, m.Clusters, c.sizes.K)
	case slices.Min(m.Labels) < 0 || slices.Max(m.Labels) >= m.Clusters:
		return fmt.Errorf("labels from %d to %d of %d clusters", slices.Min(m.Labels), slices.Max(m.Labels), m.Clusters)
	case m.Iterations < 1:
		return fmt.Errorf("%d iterations", m.Iterations)
	case m.Distances() != distances:
		return fmt.Errorf("distances in %q, want %q", m.Distances(), distances)
	}
	return nil
}

// ownClusters: the partition gives the sample the labels of the fit, and not
// negative distances.
func ownClusters(_ Subject, c sample, m *methods.Clustering) error {
	labels, squared, err := m.Assign(context.Background(), c.x)
	switch {
	case err != nil:
		return err
	case !slices.Equal(labels, m.Labels):
		return fmt.Errorf("labels %v, assigned %v", m.Labels, labels)
	case !(slices.Min(squared) >= 0):
		return fmt.Errorf("a squared distance of %v", slices.Min(squared))
	}
	return nil
}

// distancesToMeans computes squared distances to the clusters' means by loops,
// in the embedding or, without one, in H: of each point to its own mean they are
// the partition's, and no other mean is nearer. Methods must have been built
// without tolerance, so that centres are the means of the labels. What an
// isometric embedding leaves of k(·,x) is added.
func distancesToMeans(_ Subject, c sample, m *methods.Clustering) error {
	_, squared, err := m.Assign(context.Background(), c.x)
	if err != nil {
		return err
	}
	inner, rest := c.products(m)
	size := 0.0
	for i := range rest {
		size = max(size, inner.At(i, i)+rest[i])
	}
	members := make([][]int, m.Clusters)
	for i, label := range m.Labels {
		members[label] = append(members[label], i)
	}
	squares := make([]float64, m.Clusters) // ‖μ_j‖²
	for j, rows := range members {
		for _, r := range rows {
			squares[j] += meanProduct(inner, r, rows) / float64(len(rows))
		}
	}
	for i, label := range m.Labels {
		own, nearest := 0.0, math.Inf(1)
		for j, rows := range members {
			if len(rows) == 0 {
				continue
			}
			d := inner.At(i, i) - 2*meanProduct(inner, i, rows) + squares[j]
			if j == label {
				own = d
			}
			nearest = min(nearest, d)
		}
		if got := squared[i]; !(math.Abs(got-own-rest[i]) <= imageTolerance*size) || own > nearest+imageTolerance*size {
			return fmt.Errorf("point %d is %.15g from its centre, squared; by loops %.15g, from the nearest %.15g", i, got, own+rest[i], nearest+rest[i])
		}
	}
	return nil
}

// meanProduct is ⟨x_i, μ⟩ for the mean μ of some rows.
func meanProduct(inner *mat.SymDense, i int, rows []int) float64 {
	sum := 0.0
	for _, r := range rows {
		sum += inner.At(i, r)
	}
	return sum / float64(len(rows))
}

// products are the inner products of the sample points where the clusters lie,
// and for each point what an isometric embedding leaves of k(x,x).
func (c sample) products(m *methods.Clustering) (*mat.SymDense, []float64) {
	n, _ := c.x.Dims()
	inner, rest := mat.NewSymDense(n, nil), make([]float64, n)
	if m.Embedding == nil {
		for i := range n {
			for j := i; j < n; j++ {
				inner.SetSym(i, j, c.kernel.At(c.x.RawRowView(i), c.x.RawRowView(j)))
			}
		}
		return inner, rest
	}
	z := m.Embedding.Eval(c.x)
	for i := range n {
		for j := i; j < n; j++ {
			inner.SetSym(i, j, floats.Dot(z.RawRowView(i), z.RawRowView(j)))
		}
		if x := c.x.RawRowView(i); m.Embedding.Isometric {
			rest[i] = max(0, c.kernel.At(x, x)-inner.At(i, i))
		}
	}
	return inner, rest
}

func checkEqualLabels(s Subject) error {
	c := s.doubled()
	model, err := s.fit(c, 1)
	if err != nil {
		return err
	}
	labels := model.(*methods.Clustering).Labels
	for i := range 30 {
		if labels[2*i] != labels[2*i+1] {
			return fmt.Errorf("point %d has the labels %d and %d", i, labels[2*i], labels[2*i+1])
		}
	}
	return nil
}

// oneCluster wants one cluster and a warning, or an error that says that
// nothing is left of the points once they are centred.
func oneCluster(_ Subject, _ sample, model methods.Model, err error) error {
	if err != nil {
		return looksTheSame(err)
	}
	m := model.(*methods.Clustering)
	says := func(w string) bool { return strings.Contains(w, "clusters are empty") }
	if slices.Min(m.Labels) != slices.Max(m.Labels) || !slices.ContainsFunc(m.Caveats(0), says) {
		return fmt.Errorf("labels %v, warnings %q", m.Labels, m.Caveats(0))
	}
	return nil
}

func checkAssignCancelled(s Subject) error {
	c := s.samples()[0]
	model, err := s.fit(c, 1)
	if err != nil {
		return err
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := model.(*methods.Clustering).Assign(ended, c.x); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("error %v, want %v", err, context.Canceled)
	}
	return nil
}
