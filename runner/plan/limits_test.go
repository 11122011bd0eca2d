package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const limitsSpec = `
name: limits
seed: 1
repeats: REPEATS
datasets: [{id: x, DATA}]
KERNELS
grid: {GRID}
methods: [METHODS]
measure: [MEASURE]
`

// limited is the first group of a spec with some data set, grid, methods and measures.
func limited(t *testing.T, in Input, data, grid, methods, measure string) (*Plan, *Group) {
	t.Helper()
	kernels := "kernels: [{id: rbf, use: gaussian, sigma: 4, form: sigma-squared}]"
	if strings.Contains(data, "decay") || strings.Contains(data, "eigenvalues") {
		kernels = "" // it has its own
	}
	p := planOf(t, strings.NewReplacer("REPEATS", "2", "DATA", data, "KERNELS", kernels, "GRID", grid, "METHODS", methods, "MEASURE", measure).Replace(limitsSpec), in)
	return p, p.Groups[0]
}

// TestStreaming: which fits stream is a matter of the method, of what is measured, and of the
// size of the sample.
func TestStreaming(t *testing.T) {
	const nystrom, kjl = "{id: a, use: nystrom}", "{id: a, use: kjl}"
	for _, test := range []struct {
		methods, measure string
		stream           bool
		maxN, maxRows    int
	}{
		{nystrom, "recon_h", false, 1000, 2e6},
		{nystrom, "recon_h", true, 0, 2e6},
		{nystrom, "recon_h, time", false, 1000, 2e6},
		{kjl, "kjl_operator", false, 1000, 2e6},
		{"{id: a, use: rff, features: fourier}", "recon_l2", false, 1000, 2e6},
		{"{id: a, use: rf-oja, features: fourier, schedule: adaoja}", "recon_l2", false, 1000, 2e6},
		{nystrom, "recon_h, nystrom_residual", true, 2e6, 0},
		{"{id: a, use: nystrom, landmarks: rpcholesky}", "recon_h", true, 2e6, 0},
		{"{id: a, use: kjl, subsample: all}", "kjl_operator", true, 2e6, 0},
		{"{id: a, use: kjl, kmeans: {}, n: 1000, k: 3}", "clusters", true, 1000, 0},
		{"{id: a, use: nystrom-embedding, stream: true, kmeans: {}, k: 3}", "cluster_cost", false, 0, 2e6},
		{nystrom + ", {id: b, use: ekpca, center: u, n: 3000}", "recon_h", true, 3000, 2e6},
		{nystrom + ", {id: b, use: ekpca, center: u}", "recon_h", true, 2e6, 2e6},
	} {
		what := test.methods + ", " + test.measure
		_, g := limited(t, Input{Stream: test.stream}, "use: gaussian-mixture, k: 3, d: 100, population: {held_out: 50}", "n: [1000, 2000000], m: 20, d: 6, ell: 2", test.methods, test.measure)
		if g.MaxN != test.maxN || g.MaxRows != test.maxRows {
			t.Errorf("%s, stream %v: samples of %d in memory and %d in blocks, want %d and %d", what, test.stream, g.MaxN, g.MaxRows, test.maxN, test.maxRows)
		}
		for _, f := range g.Fits {
			if f.Streams && f.Sizes.N > g.MaxRows || !f.Streams && f.Sizes.N > g.MaxN {
				t.Errorf("%s: %s at %d streams: %v", what, f.Method.ID, f.Sizes.N, f.Streams)
			}
		}
		// 100 coordinates in double precision are 1.6 GB, labels and indices 48 MB; what
		// clustering keeps of embedded points 290 MB.
		if small := g.Bytes < 500e6; small != (g.MaxN < 1e6) {
			t.Errorf("%s: %d bytes", what, g.Bytes)
		}
	}
}

// TestRefusals: a fit is refused where its arrays alone take more than the run may, by one
// number that the plan and the row have; to a byte, and never for its garbage. The forecast
// counts what is refused.
func TestRefusals(t *testing.T) {
	const data, grid, methods = "use: sphere, d: 3", "n: [300, 3000], m: 40, ell: 2", "{id: exact, use: ekpca, center: u}, {id: nys, use: nystrom}"
	_, g := limited(t, Input{}, data, grid, methods, "rank")
	largest := g.Fits[0]
	for _, f := range g.Fits {
		if f.Bytes > largest.Bytes {
			largest = f
		}
	}
	if triangle := int64(4 * 3000 * 3000); largest.Method.ID != "exact" || largest.Bytes < triangle || largest.Bytes > 4*triangle || g.Bytes < largest.Bytes {
		t.Errorf("the largest fit, %s, takes %s, the group %s", largest.Method.ID, Bytes(largest.Bytes), Bytes(g.Bytes))
	}
	for memory, refused := range map[int64]int{0: 0, largest.Bytes: 0, largest.Bytes - 1: 1, 1: 4} {
		p, _ := limited(t, Input{Memory: memory}, data, grid, methods, "rank")
		v := p.Forecast()
		if v.Rows != 8 || v.Runnable != 4 || v.Refused != refused || (v.Refusals() == "") != (refused == 0) {
			t.Errorf("%d bytes: %+v", memory, v)
		}
		if says := fmt.Sprintf("needs about %s, and %s are allowed", Bytes(largest.Bytes), Bytes(memory)); refused == 1 && !slices.ContainsFunc(v.Fits, func(f FitForecast) bool {
			return f.At.String() == "dataset=x kernel=rbf method=exact n=3000 ell=2" && strings.Contains(f.Refused, says)
		}) {
			t.Errorf("%+v do not say %q", v.Fits, says)
		}
	}
	// Eight million points to 400 landmarks keep 12.8 GB of coordinates and a little more.
	for memory, fits := range map[int64]bool{15 << 30: true, 13 << 30: false} {
		p, g := limited(t, Input{Memory: memory}, "use: gaussian-mixture, k: 10, d: 784, population: {held_out: 100000}", "n: 8000000, m: 400, k: 10",
			"{id: a, use: nystrom-embedding, rank: full, stream: true, kmeans: {restarts: 1}}", "cluster_cost, nmi, clusters, time")
		if err := p.Refusal(g.Fits[0]); fits != (err == nil) {
			t.Errorf("%s: %v", Bytes(memory), err)
		}
	}
}

// TestBytes: what decides how much a group holds.
func TestBytes(t *testing.T) {
	const atoms, two = "use: atoms, atoms: 100, decay: {power: 2}", "{id: a, use: nystrom, landmarks: leverage}, {id: b, use: nystrom, landmarks: {rule: leverage, level: 0.1}}"
	for name, test := range map[string]struct {
		data, grid, methods, measure string
		least, most                  int64
	}{
		"features of the whole kernel need no matrix": {"use: series, eigenvalues: [1, 0.1]", "n: 100000, d: 32", "{id: a, use: kjl, subsample: all}", "kjl_operator, kjl_sample", 0, 1 << 30},
		"but where an eigenvalue is left out":         {"use: series, eigenvalues: [1, 1e-9]", "n: 100000, d: 32", "{id: a, use: kjl, subsample: all}", "kjl_operator, kjl_sample", 8e10, 1e12},
		"counts are as large as their atoms":          {atoms, "n: 1000000000000, m: 20, ell: 3", two, "recon_l2", 8 * 100 * 100, 10 << 20},
		"draws of few features are indices":           {atoms, "n: 1000, m: 100000000, ell: 3", "{id: a, use: rff, features: mercer, center: none}", "skp_features", 8e8, 1 << 30},
	} {
		p, g := limited(t, Input{}, test.data, test.grid, test.methods, test.measure)
		if g.Bytes < test.least || g.Bytes > test.most || g.MaxRows > 0 {
			t.Errorf("%s: %s, %d rows in blocks; %q", name, Bytes(g.Bytes), g.MaxRows, p.Notes)
		}
	}
	// Eigenpairs stand beside the fits where two of one n share them, and none is timed.
	for methods, measure := range map[string]string{two: "recon_l2", two[:strings.Index(two, ", {id: b")]: "recon_l2", two + " ": "recon_l2, time"} {
		_, g := limited(t, Input{}, atoms, "n: 1000, m: 20, ell: 3", methods, measure)
		if shared := g.MaxSpectrumN > 0; shared != (methods == two) {
			t.Errorf("%s, %s: shared are those of %d points", methods, measure, g.MaxSpectrumN)
		}
	}
}

// TestCounts: the memory of a fit on counts is that of the atoms, at any n, and an m above n
// alone is skipped.
func TestCounts(t *testing.T) {
	_, g := limited(t, Input{}, "use: atoms, atoms: 100, decay: {power: 2}", "n: [1000, 1000000000000], m: 2000, ell: 3", "{id: a, use: nystrom}, {id: b, use: ekpca, center: u}", "recon_l2")
	bytes := map[string]int64{}
	for _, f := range g.Fits {
		if few := f.Method.ID == "a" && f.Sizes.N == 1000; few != (f.Skip != nil) || f.Streams {
			t.Errorf("%s, n = %d: skipped %v, streams %v", f.Method.ID, f.Sizes.N, f.Skip, f.Streams)
		}
		bytes[fmt.Sprint(f.Method.ID, f.Sizes.N)] = f.Bytes
	}
	if g.MaxN != 100 || g.MaxGramN != 100 || bytes["b1000"] != bytes["b1000000000000"] {
		t.Errorf("largest sample %d, Gram matrix %d; bytes %v", g.MaxN, g.MaxGramN, bytes)
	}
}

// TestNotes: what of a spec is left out is said.
func TestNotes(t *testing.T) {
	const series = "use: series, decay: {power: 2}"
	for name, test := range map[string]struct {
		data, grid, methods, measure string
		want                         []string
	}{
		"nothing": {series, "n: [100, 200], m: 20, ell: 2", "{id: a, use: nystrom}", "recon_h", nil},
		"skipped": {series, "n: [10, 100], m: 20, ell: 2", "{id: a, use: nystrom}, {id: b, use: nystrom, landmarks: {rule: leverage, level: 0.1}}, {id: c, use: ekpca, center: u}", "recon_h",
			[]string{`2 of 4 rows are skipped of method "a": m = 20 landmarks out of n = 10 points`, `2 of 4 rows are skipped of method "b"`}},
		"undefined": {series, "n: 100, m: 20, ell: 2", "{id: a, use: nystrom}, {id: b, use: rff, features: mercer}", "recon_h",
			[]string{`measure "recon_h" is not taken of method "b" on dataset "x": recon_h is not defined for a subspace of a feature space: a subspace of the feature space is no subspace of H; measure recon_l2`}},
	} {
		p, _ := limited(t, Input{}, test.data, test.grid, test.methods, test.measure)
		ok := len(p.Notes) == len(test.want)
		for i, want := range test.want {
			ok = ok && strings.HasPrefix(p.Notes[i], want)
		}
		if !ok {
			t.Errorf("%s: notes\n%s\nwant\n%s", name, strings.Join(p.Notes, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// TestSamplesOfPopulationsAlone: the one cell of a method that has no n stands beside every n,
// also one that the data set does not have.
func TestSamplesOfPopulationsAlone(t *testing.T) {
	for _, grid := range []string{"n: [1000, 20], ell: 2", "n: [20, 1000], ell: 2"} {
		_, g := limited(t, Input{Dir: "../testdata"}, "use: csv, path: points.csv, header: true, population: self", grid, "{id: a, use: kpca}, {id: b, use: ekpca, center: u}", "recon_h")
		for _, f := range g.Fits {
			if skipped := f.Method.ID == "b" && f.Sizes.N == 1000; skipped != (f.Skip != nil) {
				t.Errorf("%s: %s at n = %d: %v", grid, f.Method.ID, f.Sizes.N, f.Skip)
			}
		}
	}
}

// TestCheckReadsNothing: a spec is checked without its data, whose constants decide nothing,
// and says what it did not read.
func TestCheckReadsNothing(t *testing.T) {
	for sample, want := range map[string]string{"n: [1000, 1000000000000], ell: 3, m: 20": `dataset "x" is not here: `, "n: N, ell: 3, m: 20": "and its N decide sizes or parameters: these are checked by plan and run"} {
		text := strings.NewReplacer("REPEATS", "2", "DATA", "use: csv, path: not-there.csv, sample: with_replacement", "KERNELS", "kernels: [{id: k, use: linear}]",
			"GRID", sample, "METHODS", "{id: a, use: nystrom, landmarks: leverage}", "MEASURE", "rank").Replace(limitsSpec)
		spec := specOf(t, text)
		notes, err := CheckProfiles(t.Context(), spec, t.TempDir(), nil)
		if err != nil || !strings.Contains(strings.Join(notes, "\n"), want) {
			t.Errorf("%q, %v, want %q", notes, err, want)
		}
	}
}
