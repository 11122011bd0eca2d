package methods

import (
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// Numbers is how many numbers the first ell components of a model keep to be
// evaluated at a new point: points and coefficients of expansions, what the
// feature map keeps (kernel.Numbers), the triangular factor of a Nyström embedding
// of full rank, means, centres of clusters; of exact kernel k-means the sample and
// its labels. The kernel's own parameters do not count. False for models of which
// that is not known: the population's eigenspace, and some of programs.
func Numbers(m Model, ell int) (count int, known bool) {
	switch m := m.(type) {
	case *Subspace:
		kept := min(ell, len(m.Values))
		return elements(m.Points) + rowCount(m.Coef)*kept + centreNumbers(m.Spectrum, kept), true
	case *FeatureSubspace:
		kept := min(ell, len(m.Values))
		return kernel.Numbers(m.Map) + rowCount(m.Coef)*kept + centreNumbers(m.Spectrum, kept), true
	case *Regression:
		return functionNumbers(m.Functions)
	case *Embedding:
		count, known := functionNumbers(m.Functions)
		return count + len(m.Offset), known
	case *Clustering:
		switch p := m.Partition.(type) {
		case *embeddedCentres:
			count, known := Numbers(p.embedding, 0)
			return count + elements(p.centres), known
		case *clusterMeans:
			return elements(p.points) + len(p.labels) + len(p.count) + len(p.square), true
		}
	}
	return 0, false
}

// mapDim is the number of coordinates of a model's feature map.
func mapDim(m Model) int { return m.(*FeatureSubspace).Map.Dim() }

func functionNumbers(f kernel.Functions) (count int, known bool) {
	switch f := f.(type) {
	case kernel.Expansion:
		return elements(f.Points) + elements(f.Coef), true
	case kernel.FeatureExpansion:
		return kernel.Numbers(f.Map) + elements(f.Coef), true
	case stretched:
		count, known := functionNumbers(f.Functions)
		return count + 1, known
	case featureFunctions:
		return kernel.Numbers(f.FeatureMap), true
	case inputSpace:
		return 0, true
	case *landmarkCoordinates:
		r := f.Len()
		_, d := f.basis.points.Dims()
		return r*d + r*(r+1)/2, true
	}
	return 0, false
}

// centreNumbers counts a centre that is not 0.
func centreNumbers(s Spectrum, kept int) int {
	for _, v := range s.Center {
		if v != 0 {
			return kept
		}
	}
	return 0
}

func elements(a *mat.Dense) int { rows, columns := a.Dims(); return rows * columns }

func rowCount(a *mat.Dense) int { rows, _ := a.Dims(); return rows }
