package configs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "mercer/configs"
	"mercer/configs/source"
	"mercer/internal/sizes"
)

// gridOf parses the grid of a spec from its YAML.
func gridOf(t *testing.T, grid string) Grid {
	t.Helper()
	s, err := source.Parse("g.yaml", []byte(specWith(grid)))
	if err != nil {
		t.Fatal(err)
	}
	return s.Grid
}

func specWith(grid string) string {
	return "name: g\nseed: 1\nrepeats: 1\ndatasets: [{id: a, use: b}]\nmethods: [{id: c, use: d}]\nmeasure: [e]\ngrid:\n" + grid
}

// written writes points as one line each, in the order of the grid's names.
func written(g Grid, points *Points) string {
	var lines []string
	for i := range points.Len() {
		p := points.At(i)
		if len(p) != len(g.Names()) {
			lines = append(lines, fmt.Sprint("wrong number of variables: ", p))
		}
		var values []string
		for _, name := range g.Names() {
			values = append(values, name+" = "+p[name].String())
		}
		lines = append(lines, strings.Join(values, ", "))
	}
	return strings.Join(lines, "\n")
}

func TestGridPoints(t *testing.T) {
	for _, test := range []struct{ name, grid, want string }{
		{"one value", "  n: 5", "n = 5"},
		{"the first variable is slowest", "  n: [1, 2]\n  m: [3, 4]", "n = 1, m = 3\nn = 1, m = 4\nn = 2, m = 3\nn = 2, m = 4"},
		{"written the other way", "  m: [3, 4]\n  n: [1, 2]", "m = 3, n = 1\nm = 3, n = 2\nm = 4, n = 1\nm = 4, n = 2"},
		{"expression before what it needs", "  m: \"n/2\"\n  n: [2, 4]", "m = 1, n = 2\nm = 2, n = 4"},
		{"chain of expressions", "  ell: \"m/2\"\n  m: \"n/2\"\n  n: 8", "ell = 2, m = 4, n = 8"},
		{"constants", "  n: [4, 9]\n  ell: \"ceil(n^(1/alpha))\"", "n = 4, ell = 2\nn = 9, ell = 3"},
		{"a variable hides a constant", "  alpha: 1\n  n: [4, 9]\n  ell: \"ceil(n^(1/alpha))\"", "alpha = 1, n = 4, ell = 4\nalpha = 1, n = 9, ell = 9"},
		{"numbers and expressions mixed, equal points once", "  n: [60, 120]\n  m: [20, \"n/3\"]", "n = 60, m = 20\nn = 120, m = 20\nn = 120, m = 40"},
		{"skip", "  n: [1, 2, 3]\n  m: [2, 3]\n  skip: m > n", "n = 2, m = 2\nn = 3, m = 2\nn = 3, m = 3"},
		{"several skips with constants", "  n: [1, 2, 3]\n  skip: [\"n > alpha\", \"n == 1\"]", "n = 2"},
		{"skip comes before the check of sizes", "  n: [1, 2, 3, 4]\n  m: \"n/2\"\n  skip: \"m != floor(m)\"", "n = 2, m = 1\nn = 4, m = 2"},
		{"nearly whole sizes are rounded", "  n: \"1000^(1/3)\"\n  theta: [0.3]", "n = 10, theta = 0.3"},
		{"further variables need not be whole", "  n: 10\n  theta: [0.25, \"1/2\"]", "n = 10, theta = 0.25\nn = 10, theta = 0.5"},
		{"negative further variables", "  n: 10\n  power: [-1, \"-power0\"]", "n = 10, power = -1\nn = 10, power = -3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := gridOf(t, test.grid)
			points, err := g.Points(map[string]float64{"alpha": 2, "power0": 3})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, written(g, points)); diff != "" {
				t.Errorf("points (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGridErrors(t *testing.T) {
	for _, test := range []struct{ name, grid, want string }{
		{"fraction", "  n: [60, 100, 200]\n  m: \"n/3\"", `g.yaml:9:6: m = n/3 is 33.333333333333336 at n = 100; a size is a whole number; use ceil, floor or round`},
		{"zero", "  n: 4\n  ell: \"n-4\"", `g.yaml:9:8: ell = n-4 is 0 at n = 4; a size is at least 1; use max(1, ...) or skip such points`},
		{"negative", "  n: 4\n  d: \"n-9\"", `g.yaml:9:6: d = n-9 is -5 at n = 4; a size is at least 1; use max(1, ...) or skip such points`},
		{"too large", "  k: 10\n  m: \"k^12\"", `g.yaml:9:6: m = k^12 is 1000000000000 at k = 10; m is at most 1000000000`},
		{"more than counts count", "  k: 10\n  n: \"k^16\"", `g.yaml:9:6: n = k^16 is 1e+16 at k = 10; n is at most 2^53`},
		{"two values wrong", "  n: [4]\n  m: [\"n/3\", \"n/8\"]", "g.yaml:9:7: m = n/3 is 1.3333333333333333 at n = 4; a size is a whole number; use ceil, floor or round\n" +
			"g.yaml:9:14: m = n/8 is 0.5 at n = 4; a size is at least 1; use max(1, ...) or skip such points"},
		{"unknown names", "  n: [4]\n  m: \"nn+1\"\n  skip: \"q > m\"", "g.yaml:9:6: expression \"nn+1\": unknown name \"nn\"; did you mean \"n\"?"},
		{"division by zero", "  n: [4]\n  m: \"n/(n-4)\"", `g.yaml:9:6: expression "n/(n-4)": 4 / 0 is +Inf at n = 4`},
		{"all skipped", "  n: [4]\n  skip: n > 3", `g.yaml:8:3: every point of the grid is skipped; loosen skip or change the values`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := gridOf(t, test.grid).Points(map[string]float64{"alpha": 2})
			if err == nil {
				t.Fatal("Points accepts it")
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSizesAt(t *testing.T) {
	size := func(text string) Value { return Value{Text: text, Pos: Pos{"s.yaml", 4, 2}} }
	c := Component{Kind: "method", ID: "rff", Sizes: map[string]Value{"m": size("min(n, ceil(n^(theta*(2-1/alpha))))"), "d": size("m + 1"), "ell": size("1000^(1/3)")}}
	point := Numbers(map[string]float64{"n": 250, "m": 88, "ell": 4, "theta": 0.5})
	got, err := c.SizesAt(point, map[string]float64{"alpha": 2})
	if err != nil {
		t.Fatal(err)
	}
	// d sees the m of the grid, not the override.
	if diff := cmp.Diff(sizes.Sizes{N: 250, M: 63, Ell: 10, D: 89}, got); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
	if _, changed := point["d"]; changed {
		t.Error("the point has changed")
	}
	for text, want := range map[string]string{
		"n/3":  `s.yaml:4:2: d = n/3 is 83.33333333333333 at n = 250; a size is a whole number; use ceil, floor or round`,
		"beta": `s.yaml:4:2: expression "beta": unknown name "beta"; known: ell, m, n, theta`,
	} {
		c.Sizes = map[string]Value{"m": size("n"), "d": size(text)}
		if _, err := c.SizesAt(point, nil); err == nil || err.Error() != want {
			t.Errorf("d = %s: got %v, want %s", text, err, want)
		}
	}
}

func BenchmarkGridPoints(b *testing.B) {
	s := load(b, "nystrom-kpca-rates.yaml")
	for b.Loop() {
		if _, err := s.Grid.Points(map[string]float64{"alpha": 2}); err != nil {
			b.Fatal(err)
		}
	}
}
