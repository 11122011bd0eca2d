package metrics

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

// pairCounts goes through all ordered pairs of different points.
func pairCounts(classes, clusters []int) (both, class, cluster, neither float64) {
	for i := range classes {
		for j := range classes {
			switch a, b := classes[i] == classes[j], clusters[i] == clusters[j]; {
			case i == j:
			case a && b:
				both++
			case a:
				class++
			case b:
				cluster++
			default:
				neither++
			}
		}
	}
	return both, class, cluster, neither
}

func TestPairsByLoops(t *testing.T) {
	rng := newRand(1)
	for range 50 {
		n := 1 + rng.IntN(40)
		classes, clusters := make([]int, n), make([]int, n)
		for i := range n {
			classes[i], clusters[i] = rng.IntN(4), 2*rng.IntN(3) // cluster 1 is empty
		}
		var got, want [4]float64
		got[0], got[1], got[2], got[3] = newContingency(classes, clusters, nil).pairs()
		want[0], want[1], want[2], want[3] = pairCounts(classes, clusters)
		if got != want {
			t.Fatalf("pairs %v, by loops %v", got, want)
		}
	}
}

// TestAgreementOfEightMillionPoints: counts of MNIST8M's size, against exact
// rational arithmetic. Products of pair counts reach 1e27; as sums of terms of
// one sign they leave a few roundings.
func TestAgreementOfEightMillionPoints(t *testing.T) {
	rng := newRand(2)
	table := contingency{cells: make([][]float64, 10), class: make([]float64, 10), cluster: make([]float64, 10)}
	for i := range table.cells {
		table.cells[i] = make([]float64, 10)
		for j := range table.cells[i] {
			c := float64(rng.IntN(120000))
			if i == j {
				c += 200000
			}
			table.cells[i][j] = c
			table.n += c
			table.class[i] += c
			table.cluster[j] += c
		}
	}
	if table.n < 7e6 {
		t.Fatalf("%v points", table.n)
	}
	squares := func(counts ...float64) *big.Int {
		sum := new(big.Int)
		for _, c := range counts {
			sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(c)), big.NewInt(int64(c))))
		}
		return sum
	}
	n := big.NewInt(int64(table.n))
	pairs := func(sum *big.Int) *big.Rat { // Σ binomial(c, 2)
		return new(big.Rat).SetFrac(new(big.Int).Sub(sum, n), big.NewInt(2))
	}
	all := pairs(squares(table.n))
	together, class, cluster := pairs(squares(slices.Concat(table.cells...)...)), pairs(squares(table.class...)), pairs(squares(table.cluster...))
	// Hubert and Arabie: (index − expected)/(maximum − expected).
	expected := new(big.Rat).Quo(new(big.Rat).Mul(class, cluster), all)
	maximum := new(big.Rat).Mul(big.NewRat(1, 2), new(big.Rat).Add(class, cluster))
	adjusted := new(big.Rat).Quo(new(big.Rat).Sub(together, expected), new(big.Rat).Sub(maximum, expected))
	// Agreements: all + 2·together − class − cluster.
	agree := new(big.Rat).Add(all, new(big.Rat).Mul(big.NewRat(2, 1), together))
	plain := agree.Sub(agree, class).Sub(agree, cluster).Quo(agree, all)
	for name, tt := range map[string]struct {
		got  float64
		want *big.Rat
	}{"rand": {table.rand(), plain}, "adjusted_rand": {table.adjustedRand(), adjusted}} {
		if want, _ := tt.want.Float64(); !(math.Abs(tt.got-want) <= 1e-15) {
			t.Errorf("%s is %.17g, exactly %.17g", name, tt.got, want)
		}
	}
}

// TestAgreementAtTheLimits: conventions as scikit-learn has them.
func TestAgreementAtTheLimits(t *testing.T) {
	for _, tt := range []struct {
		name                     string
		classes, clusters        []int
		nmi, plain, adjustedRand float64
	}{
		{"one class, one cluster", []int{0, 0, 0}, []int{2, 2, 2}, 1, 1, 1},
		{"one cluster", []int{0, 1, 1}, []int{0, 0, 0}, 0, 1. / 3, 0},
		{"one class", []int{0, 0, 0}, []int{0, 1, 2}, 0, 0, 0},
		{"a single point", []int{4}, []int{1}, 1, 1, 1},
		{"other names", []int{0, 0, 1, 1, 2}, []int{2, 2, 0, 0, 1}, 1, 1, 1},
		{"every point a cluster and a class", []int{0, 1, 2}, []int{2, 1, 0}, 1, 1, 1},
		{"independent", []int{0, 0, 1, 1}, []int{0, 1, 0, 1}, 0, 1. / 3, -0.5},
	} {
		table := newContingency(tt.classes, tt.clusters, nil)
		arithmetic, geometric := table.mutualInformation()
		for name, v := range map[string][2]float64{
			"nmi_arithmetic": {arithmetic, tt.nmi}, "nmi_geometric": {geometric, tt.nmi},
			"rand": {table.rand(), tt.plain}, "adjusted_rand": {table.adjustedRand(), tt.adjustedRand},
		} {
			if !(math.Abs(v[0]-v[1]) <= 1e-15) {
				t.Errorf("%s: %s is %v, want %v", tt.name, name, v[0], v[1])
			}
		}
	}
}

// TestAgreementIsOfTheRightPoints: on the sample by the labels of the fit, on
// held-out points by the partition, and none where these have no classes.
func TestAgreementIsOfTheRightPoints(t *testing.T) {
	truth := classed(t)
	names := []string{"nmi", "rand", "adjusted_rand"}
	for name, c := range truth.clusterings(t) {
		values, _, err := Evaluate(t.Context(), truth.Truth, c, []int{0}, names)
		if err != nil {
			t.Fatal(err)
		}
		held, _, err := c.Assign(t.Context(), truth.HeldOut)
		if err != nil {
			t.Fatal(err)
		}
		for suffix, table := range map[string]contingency{
			"": newContingency(truth.Labels, c.Labels, nil), "_test": newContingency(truth.HeldOutLabels, held, nil),
		} {
			arithmetic, geometric := table.mutualInformation()
			for metric, want := range map[string]float64{"nmi_arithmetic": arithmetic, "nmi_geometric": geometric, "rand": table.rand(), "adjusted_rand": table.adjustedRand()} {
				if got, ok := values[0][metric+suffix]; !ok || got != want {
					t.Errorf("%s: %s%s is %v, want %v", name, metric, suffix, got, want)
				}
			}
		}
		if v := values[0]; name == "kmeans" && !(v["adjusted_rand"] > 0.5 && v["adjusted_rand_test"] > 0.5) {
			t.Errorf("%s: adjusted Rand %v and %v of classes that k-means finds", name, v["adjusted_rand"], v["adjusted_rand_test"])
		}
		unlabelled := truth.Truth
		unlabelled.HeldOutLabels = nil
		values, _, err = Evaluate(t.Context(), unlabelled, c, []int{0}, names)
		if _, given := values[0]["rand_test"]; err != nil || given || len(values[0]) != 4 {
			t.Errorf("%s: without classes of the held-out points %v, %v", name, values, err)
		}
	}
	unlabelled := truth.Truth
	unlabelled.Labels = nil
	if _, _, err := Evaluate(t.Context(), unlabelled, truth.clusterings(t)["kmeans"], []int{0}, names); err == nil {
		t.Error("no error without classes")
	}
}
