package landmark

import (
	"maps"
	"slices"

	"mercer/internal/cost"
	"mercer/internal/linalg"
)

// mostExact is the largest n of the rules that decompose the n×n kernel matrix:
// about 10n³ flops and 24n² bytes, some minutes and 600 MB.
const mostExact = 5000

// Entry is a rule that options can name.
type Entry struct {
	DataIndependent bool     // looks at no point
	Params          []string // parameters that it takes
	Most            int      // largest n, of counts the largest number of atoms; 0 for any
	// NoCounts is why the rule cannot pick among points that stand for several; empty
	// where it can.
	NoCounts string
	Instead  string // which rules to take above it
	// Picking is the cost of picking m of n points in R^dim.
	Picking func(n, m, dim float64) cost.Cost
	pick    func(p *problem) (Set, error)
}

// exactInstead is why approximations by parts of a sample are not made of counts.
const exactInstead = "it approximates leverage scores by parts of the sample; take leverage, which computes them exactly at any n"

// Registry holds every rule by the name that specs use.
var Registry = map[string]Entry{
	// uniform: m points drawn uniformly without replacement; the landmarks of a smaller m are
	// the first of a larger m (of counts up to m = 65536). Cost: 16n bytes. Reference: NYK §3;
	// with replacement: KKM Lemma 1.
	"uniform": {
		DataIndependent: true,
		Params:          []string{"replacement"},
		Picking:         func(n, _, _ float64) cost.Cost { return cost.Numbers(2 * n) },
		pick:            (*problem).uniform,
	},
	// first: the first m points, for tests and for samples in random order. Cost: none.
	"first": {
		DataIndependent: true,
		NoCounts:        "a sample of counts has no first points; take uniform",
		Picking:         func(_, _, _ float64) cost.Cost { return cost.Cost{} },
		pick:            (*problem).first,
	},
	// leverage: points drawn by their exact ridge leverage scores. Cost: n²D + 10n³ flops, 24n²
	// bytes. Reference: NYK §5; Alaoui & Mahoney 2015; with replacement: Rudi, Camoriano &
	// Rosasco 2015.
	"leverage": {
		Params:  []string{"level", "replacement"},
		Most:    mostExact,
		Instead: "recursive or bless",
		Picking: exactCost,
		pick:    (*problem).leverage,
	},
	// recursive: points drawn by approximate ridge leverage scores, by recursion on halves of
	// the sample. Cost: 2nmD + 2nm² flops, 8(3m² + 1024m) bytes at a level that matches m.
	// Reference: Musco & Musco 2017, Algorithms 2 and 3.
	"recursive": {
		Params:   []string{"level", "replacement"},
		NoCounts: exactInstead,
		Picking: func(n, m, dim float64) cost.Cost {
			return cost.Values(2*n*m, dim).Plus(scoring(n, m, m))
		},
		pick: (*problem).recursive,
	},
	// bless: points drawn by approximate ridge leverage scores, along a path of falling levels.
	// Cost: 2nMD + 2nM² flops, 8(3M² + 1024M) bytes, M = 4·d_eff(t), at most 2m at a level that
	// matches m. Reference: Rudi, Calandriello, Carratino & Rosasco 2018, Algorithm 1.
	"bless": {
		Params:   []string{"level", "replacement"},
		NoCounts: exactInstead,
		Picking: func(n, m, dim float64) cost.Cost {
			d := min(n, 2*m)
			// Of the m to 2m points drawn last some are drawn again.
			return cost.Values(2*n*d, dim).Plus(scoring(n, d, min(n, 1.2*m)))
		},
		pick: (*problem).bless,
	},
	// rpcholesky: randomly pivoted Cholesky: each point drawn by its squared distance in H from
	// the span of earlier ones; by the accelerated algorithm, which proposes points in blocks of
	// 64, refuses some and has the same law. Cost: nmD + nm² flops, 8nm bytes. Reference: Chen,
	// Epperly, Tropp & Webber 2023, Algorithm 2.1; Epperly, Tropp & Webber 2024.
	"rpcholesky": {
		Picking: choleskyCost,
		pick:    (*problem).pivotedCholesky,
	},
	// block-rpcholesky: randomly pivoted Cholesky in blocks: points drawn at once, without
	// replacement, by their squared distances in H from the span of earlier blocks; which keep
	// the greedy pivots among them until 1/block of the block's trace is left. Cost: nmD + nm²
	// flops, 8(nm + block²) bytes. Reference: Dong, Chen, Martinsson & Pearce 2023, Algorithm
	// 3.1 (RBRP).
	"block-rpcholesky": {
		Params:   []string{"block"},
		NoCounts: "a block may hold several points of one row; take rpcholesky",
		Picking: func(n, m, dim float64) cost.Cost {
			return choleskyCost(n, m, dim).Plus(cost.Numbers(n + defaultBlock*defaultBlock))
		},
		pick: (*problem).blockCholesky,
	},
	// greedy: greedily pivoted Cholesky: each point the one that is farthest in H from the span
	// of earlier ones, of equals the first. Cost: nmD + nm² flops, 8nm bytes. Reference: Fine &
	// Scheinberg 2001; Bach & Jordan 2002.
	"greedy": {
		Picking: func(n, m, dim float64) cost.Cost { // its columns are made one by one, and collected later
			return choleskyCost(n, m, dim).Plus(cost.Numbers(n * m))
		},
		pick: (*problem).greedy,
	},
	// kmeans++: k-means++ in H: each point drawn by its squared distance ‖φ(x) − φ(c)‖² from the
	// nearest earlier one. Cost: nmD flops, 8(3n + 65536) bytes. Reference: Arthur &
	// Vassilvitskii 2007; Oglic & Gärtner 2017.
	"kmeans++": {
		Picking: func(n, m, dim float64) cost.Cost {
			return cost.Values(n*m, dim).Plus(cost.Numbers(3*n + rowsPerBlock*proposals))
		},
		pick: (*problem).plusPlus,
	},
}

// choleskyCost is that of the factor F, the diagonal and the weights.
func choleskyCost(n, m, dim float64) cost.Cost {
	return cost.Values(n*m, dim).Plus(cost.Cost{Flops: 2 * n * m * m}).Plus(cost.Numbers(n * (m + 2)))
}

// exactCost is that of the kernel matrix, of all its eigenpairs and of what is made
// of them: n³ flops and two squares at most.
func exactCost(n, _, dim float64) cost.Cost {
	scores := cost.Cost{Flops: n * n * n}.Plus(cost.Numbers(2 * n * n))
	return cost.Gram(n, dim).Plus(linalg.EigenCost(n).Then(scores))
}

// scoring is the cost of the scores of n points by d drawn ones, beside the kernel
// values; so many of the drawn points are different.
func scoring(n, d, different float64) cost.Cost {
	factor := cost.Cost{Bytes: linalg.PivotedCost(different).Bytes}
	return cost.Cost{Flops: 2 * n * d * d}.Plus(factor).Plus(cost.Numbers(rowsPerBlock*different + 3*n))
}

// Names lists the rules in alphabetical order.
func Names() []string { return slices.Sorted(maps.Keys(Registry)) }
