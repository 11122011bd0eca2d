package metrics

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/internal/lists"
)

// separationMeasures are the measures of how far classes are apart.
var separationMeasures = map[string]Measure{
	"separation": {
		Family:    ofImages,
		Doc:       "separation of the true classes in the embedding (for kernel-kmeans in H): mean silhouette, and smallest distance between classes over largest diameter of a class; on at most 10,000 points, drawn at random from a larger sample; neither exists if all these points are of one class, or if all diameters are 0",
		Reference: "KJL §5.1",
		Cost:      "kernel values or distances of all pairs of at most 10,000 points",
		Outputs: []Output{
			{"silhouette", "mean silhouette", More, unity.by(1.5e-8)},
			{"separation", "separation of the classes", More, unity.by(1.5e-8)},
		},
		forms:   ofPairs,
		compute: separation,
	},
}

// separationPoints is how many points of a sample are compared with each other;
// of a larger sample so many, drawn at random.
const separationPoints = 10000

// separation says how far apart the true classes are in the embedding, or in H
// for clusters that were found without one: the mean silhouette, and the
// smallest distance between points of different classes over the largest within
// one. Where all points are of one class, or no class has two different points,
// neither is there.
//
// The latter is scale-free: the square root of KJL's Δ, the least squared
// distance between two subsets of feature space, set against their interpoint
// distances, as KJL says Δ must be for the embedding to keep them apart.
//
// Reference: [KJL, §5.1, Example 1 and what follows it]; silhouettes: Rousseeuw,
// Journal of Computational and Applied Mathematics 20 (1987).
func separation(e *evaluation, _ int, into Values) error {
	s, err := e.separated()
	if err != nil {
		return err
	}
	if s.defined() {
		into["silhouette"] = s.silhouette()
		into["separation"] = s.closest / s.diameter
	}
	return nil
}

// separated is what a pass over all pairs of images finds.
func (e *evaluation) separated() (*separated, error) {
	return shared(e, "separated", 0, func() (*separated, error) {
		x, classes, times := e.classed()
		g, err := e.geometry(x)
		if err != nil {
			return nil, err
		}
		return g.separate(e.ctx, classes, times)
	})
}

// classed are the points that are compared, their classes, and how many points of the sample
// each stands for.
func (e *evaluation) classed() (x *mat.Dense, classes []int, times []float64) {
	rows, all := e.someRows(separationPoints), e.times()
	classes = lists.Map(rows, func(row int) int { return e.Labels[row] })
	times = lists.Map(rows, func(row int) float64 { return all[row] })
	return linalg.SelectRows(e.X, rows), classes, times
}

// someRows are all rows of the sample, or count of them, drawn without replacement.
func (e *evaluation) someRows(count int) []int {
	n, _ := e.X.Dims()
	if n > count {
		return slices.Sorted(slices.Values(e.Rows().Perm(n)[:count]))
	}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// geometry is where distances are taken: ‖k(·,x) − k(·,y)‖ for points x.
type geometry struct {
	kernel kernel.Kernel
	points *mat.Dense
	linear bool // the kernel is ⟨x,y⟩: distances are those of the points
	norm2  []float64
}

// geometry embeds the points, as far as the model has an embedding.
func (e *evaluation) geometry(x *mat.Dense) (geometry, error) {
	g := geometry{kernel: e.Kernel, points: x}
	if embedding := e.embedding(); embedding != nil {
		z, err := embedding.Map(e.ctx, x)
		if err != nil {
			return g, err
		}
		centre(z)
		g = geometry{kernel: kernel.Polynomial{Degree: 1, Gamma: 1}, points: z, linear: true}
	}
	g.norm2 = kernel.Diagonal(g.kernel, g.points)
	return g, nil
}

// centre takes the mean off the rows, so that no large part common to all
// cancels in their distances.
func centre(z *mat.Dense) {
	_, d := z.Dims()
	mean := make([]float64, d)
	addMean(mean, 1, z)
	linalg.SubtractRow(z, mean)
}

// distance is that of points i and j whose inner product is given. Where the
// products cancel it is computed again from differences, if there are any.
func (g geometry) distance(i, j int, product float64) float64 {
	if i == j {
		return 0
	}
	const cancelled = 1e-6 // leaves a relative error of 1e-10 above it
	size := g.norm2[i] + g.norm2[j]
	squared := size - 2*product
	if g.linear && squared < cancelled*size {
		return floats.Distance(g.points.RawRowView(i), g.points.RawRowView(j), 2)
	}
	return math.Sqrt(max(0, squared))
}

// separated is what a pass over all pairs finds.
type separated struct {
	classes           []int
	times             []float64   // how many points each is
	count             []float64   // points of each class
	sums              [][]float64 // of the distances of each point to those of each class
	closest, diameter float64     // least distance between classes, largest within one
}

// separate takes all n² distances, tileRows² at a time.
func (g geometry) separate(ctx context.Context, classes []int, times []float64) (*separated, error) {
	s := &separated{classes: classes, times: times, sums: make([][]float64, len(classes)), closest: math.Inf(1)}
	for i, c := range classes {
		for len(s.count) <= c {
			s.count = append(s.count, 0)
		}
		s.count[c] += times[i]
	}
	for i := range s.sums {
		s.sums[i] = make([]float64, len(s.count))
	}
	err := tiles(ctx, g.points, func(top int, rows *mat.Dense) error {
		return tiles(ctx, g.points, func(left int, columns *mat.Dense) error {
			s.add(g, kernel.Cross(g.kernel, rows, columns), top, left)
			return nil
		})
	})
	return s, err
}

// defined says that there are points of two classes, and two different points of
// one. Distances that are not finite count as such, and fail the measure.
func (s *separated) defined() bool {
	return occurring(s.count) > 1 && s.diameter != 0
}

// add takes a tile of inner products.
func (s *separated) add(g geometry, products *mat.Dense, top, left int) {
	n, _ := products.Dims()
	for r := range n {
		i := top + r
		for c, product := range products.RawRowView(r) {
			j := left + c
			distance := g.distance(i, j, product)
			s.sums[i][s.classes[j]] += s.times[j] * distance
			if s.classes[i] == s.classes[j] {
				s.diameter = max(s.diameter, distance)
			} else {
				s.closest = min(s.closest, distance)
			}
		}
	}
}

// silhouette is the mean of (b − a)/max(a, b), a the mean distance to the others
// of the own class, b to the points of the nearest other class; 0 for the only
// point of a class, as in scikit-learn.
func (s *separated) silhouette() float64 {
	total := 0.0
	for i, own := range s.classes {
		if s.count[own] == 1 {
			continue
		}
		a, b := s.sums[i][own]/(s.count[own]-1), math.Inf(1)
		for class, sum := range s.sums[i] {
			if class != own && s.count[class] > 0 {
				b = min(b, sum/s.count[class])
			}
		}
		if largest := max(a, b); largest > 0 {
			total += s.times[i] * (b - a) / largest
		}
	}
	return total / floats.Sum(s.times)
}
