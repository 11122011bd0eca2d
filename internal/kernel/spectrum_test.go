package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestFeaturesOfKernelsMadeOfOthers: the features of sums and the like, whose κ(0) is not 1,
// have the kernel as their mean. Each is held against the features of a kernel that one
// mistake would give: kernels of a sum drawn alike, κ(0) forgotten, one factor of a power.
func TestFeaturesOfKernelsMadeOfOthers(t *testing.T) {
	gaussian, matern := NewGaussian(2), Matern{Half: 3, Sigma: 2}
	for i, test := range []struct{ right, wrong Kernel }{
		{Sum{[]Kernel{gaussian, Scaled{3, matern}}}, Scaled{2, Sum{[]Kernel{gaussian, matern}}}},
		{Scaled{4, matern}, matern},
		{Power{3, Sum{[]Kernel{matern, matern}}}, Scaled{8, matern}},
		{Product{[]Kernel{Scaled{2, NewGaussian(0.2)}, Power{4, matern}}}, Scaled{2, Product{[]Kernel{NewGaussian(0.2), matern}}}},
		{Normalised{Sum{[]Kernel{gaussian, matern, matern}}}, Normalised{Sum{[]Kernel{gaussian, matern}}}},
		{Sum{[]Kernel{ARD{gaussian, scalesOf(3)}, Laplace{Sigma: 1}}}, Sum{[]Kernel{gaussian, Laplace{Sigma: 1}}}},
	} {
		for _, name := range []string{"fourier", "offset", "orthogonal"} {
			entry := Maps[name]
			if entry.Check(test.right) != nil {
				continue
			}
			seed := uint64(171 + i)
			draw := func(k Kernel) func(rng *rand.Rand) FeatureMap {
				return func(rng *rand.Rand) FeatureMap { return entry.New(k, 150, 3, rng) }
			}
			if z := mapDeviation(test.right, draw(test.right), shifts(3), seed); z > maxT {
				t.Errorf("%s features of %s: %.1f standard errors", name, test.right, z)
			}
			if z := mapDeviation(test.right, draw(test.wrong), shifts(3), seed); z < 2*maxT {
				t.Errorf("%s features of %s: those of %s are only %.1f standard errors off", name, test.right, test.wrong, z)
			}
			if f := entry.New(test.right, 7, 3, newRand(1)); f.Features() != 7 || Numbers(f) < 21 {
				t.Errorf("%s: %d features of %d numbers", name, f.Features(), Numbers(f))
			}
		}
	}
}

// TestKernelsWithoutASpectrumSayWhatToUse: one part without a spectral measure leaves none.
func TestKernelsWithoutASpectrumSayWhatToUse(t *testing.T) {
	for _, k := range []Kernel{Sum{[]Kernel{NewGaussian(1), Cosine{}}}, Power{2, Polynomial{Degree: 1, Gamma: 1}}, Normalised{Intersection{}}, Scaled{2, Chi2{1}}} {
		if err := fmt.Sprint(Maps["fourier"].Check(k)); !strings.Contains(err, "take nystrom") {
			t.Errorf("%s: %s", k, err)
		}
	}
	if err := Maps["orthogonal"].Check(Sum{slices.Repeat([]Kernel{Matern{Half: 1, Sigma: 1}}, 2)}); err != nil {
		t.Errorf("orthogonal features of a sum of Matérn kernels: %v", err)
	}
}
