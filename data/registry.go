package data

import (
	"mercer/data/fetch"
	"mercer/data/generate"
	"mercer/internal/misuse"
	"mercer/methods/exec"
)

// Registry holds every data set by the name that specs use; package fetch says which
// are published.
var Registry = withPublished(map[string]Entry{
	"series": {
		Doc:        "X uniform on [0,1] with k = Σ λ_i e_i e_i: every operator in closed form (Bernoulli polynomials, Poisson kernel)",
		New:        func() Options { return &SeriesOptions{} },
		Population: true,
		Constants:  []string{"D", "kappa", "trace", "alpha", "terms"},
	},
	"atoms": {
		Doc:        "K atoms with prescribed eigenvalues; a sample is how often each occurs, so that n may be up to 2^53 at a cost of K³",
		New:        func() Options { return &AtomsOptions{} },
		Population: true,
		Constants:  []string{"D", "kappa", "trace", "alpha", "terms", "atoms", "classes"},
	},
	"gaussian": {
		Doc:        "X ~ N(0, s²) with a Gaussian kernel: every operator exact, in Hermite coordinates",
		New:        func() Options { return &GaussianOptions{Std: 1} },
		Population: true,
		Constants:  []string{"D", "kappa", "trace", "std"},
	},
	"csv": {
		Doc: "a CSV file",
		New: func() Options {
			return &CSVOptions{TableOptions: defaultTableOptions(), Header: "auto", Label: "none"}
		},
		Constants: tableConstants,
	},
	"exec": {
		Doc: "points that a program of your own draws, in any language (docs/exec.md)",
		New: func() Options {
			return &ExecOptions{Options: exec.DefaultOptions(), Population: PopulationOption{Kind: "none"}}
		},
		Constants: []string{"D", "classes"},
	},
	"idx": arrays("IDX files (MNIST's format), or NumPy's .npy files"),
	"npy": arrays("NumPy .npy files, or IDX files"),
	"precomputed": {
		Doc:        "a kernel matrix, N×N, in a .npy or IDX file, such as of a graph kernel: points are its indices, and it brings its kernel; for what needs kernel values alone",
		New:        func() Options { return &PrecomputedOptions{ArrayOptions{TableOptions: defaultTableOptions()}} },
		Population: true,
		Constants:  tableConstants,
	},
	"infinite-mnist": {
		Doc:       "unlimited MNIST digits: displaced and smoothly deformed images, made on demand, pixels divided by 255; held-out points are made from MNIST's test images",
		New:       func() Options { o := defaultInfinite(); return &o },
		Constants: []string{"D", "classes"},
	},

	"gaussian-mixture":   Generated("gaussian-mixture", "a Gaussian mixture in R^D", generate.DefaultMixture),
	"cluster-in-cluster": Generated("cluster-in-cluster", "a disc inside a ring in the plane (KJL Fig 1)", generate.DefaultRings),
	"crescent-full-moon": Generated("crescent-full-moon", "a crescent around a disc in the plane (KJL Fig 1)", generate.DefaultMoons),
	"smile":              Generated("smile", "a face in the plane: a circle, a mouth and two eyes (Chen, Epperly, Tropp & Webber 2023, Fig 1)", generate.DefaultSmile),
	"sphere":             Generated("sphere", "the uniform distribution on a sphere in R^D", generate.DefaultSphere),
})

// Register adds a data set under the name that specs use. It panics where the name is taken or
// the entry lacks Doc or New.
func Register(name string, e Entry) { misuse.Register(Registry, name, e, "Doc", "New") }

func arrays(doc string) Entry {
	return Entry{
		Doc:       doc,
		New:       func() Options { return &ArrayOptions{TableOptions: defaultTableOptions()} },
		Constants: tableConstants,
	}
}

func withPublished(registry map[string]Entry) map[string]Entry {
	for _, set := range fetch.All() {
		registry[set.Name] = published(set)
	}
	return registry
}
