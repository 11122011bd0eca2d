package plan

import (
	"strings"
	"testing"

	"mercer/configs/source"
)

// prepared is the plan of a spec given as YAML.
func prepared(t *testing.T, text string) (*Plan, error) {
	t.Helper()
	spec, err := source.Parse("test.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	resolved, err := Resolve(spec)
	if err != nil {
		return nil, err
	}
	return Prepare(t.Context(), nil, resolved, Input{})
}

const onAtoms = `
name: atoms
seed: 1
repeats: 2
datasets:
  - {id: atoms, use: atoms, atoms: 100, decay: {power: 2}}
grid:
  n: [1000, 1000000000000]
  ell: 3
  m: 20
methods:
`

// TestCounts: methods that need points in an order are refused on counts with their
// reason, before anything is computed; so is more than 1e9 of other samples.
func TestCounts(t *testing.T) {
	series := strings.Replace(onAtoms, "use: atoms, atoms: 100", "use: series", 1)
	for _, test := range []struct{ spec, methods, says string }{
		{onAtoms, "  - {id: a, use: rf-oja, features: mercer, schedule: adaoja}", "the samples of dataset \"atoms\" are counts: it takes points one after another"},
		{onAtoms, "  - {id: a, use: nystrom, landmarks: first}", "take uniform"},
		{onAtoms, "  - {id: a, use: nystrom, landmarks: bless}", "take leverage"},
		{onAtoms, "  - {id: a, use: nystrom, m: 2000}\n  - {id: b, use: ekpca, center: u}", ""},
		{onAtoms, "  - {id: a, use: nystrom, landmarks: leverage}", ""},
		{series, "  - {id: a, use: nystrom}", "n = 1000000000000 points of dataset \"atoms\": at most 1000000000"},
	} {
		_, err := prepared(t, test.spec+test.methods+"\nmeasure: [recon_l2]\n")
		if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%s: %v, want %q", test.methods, err, test.says)
		}
	}
}

// TestUnreadCounts: the check of a spec whose data are not read takes rules that are
// limited by the atoms, whose number is not known, at any n.
func TestUnreadCounts(t *testing.T) {
	text := `
name: unread
seed: 1
repeats: 2
datasets: [{id: rows, use: csv, path: rows.csv, sample: with_replacement}]
kernels: [{id: rbf, use: gaussian, sigma: 1, form: sigma-squared}]
grid: {n: [1000, 1000000000000], ell: 3, m: 20}
methods: [{id: a, use: nystrom, landmarks: leverage}]
measure: [rank]
`
	spec, err := source.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	notes, err := Check(t.Context(), spec, t.TempDir())
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "is not here") {
		t.Errorf("%q, %v", notes, err)
	}
}

// TestCountsCost: work and memory are those of the atoms, at any n, and no fit
// streams; an m above n alone is refused.
func TestCountsCost(t *testing.T) {
	p, err := prepared(t, onAtoms+"  - {id: a, use: nystrom, m: 2000}\n  - {id: b, use: ekpca, center: u}\nmeasure: [recon_l2]\n")
	if err != nil {
		t.Fatal(err)
	}
	g := p.Groups[0]
	var fits []*Fit
	for _, f := range g.Fits {
		if f.Streams {
			t.Errorf("%s streams", f.Method)
		}
		if f.Sizes.N == 1000 && f.Method == "a" {
			if f.Skip == nil || !strings.Contains(f.Skip.Error(), "m = 2000 landmarks out of n = ") {
				t.Errorf("2000 landmarks of 1000 points: %v", f.Skip)
			}
			continue
		}
		if f.Skip != nil {
			t.Errorf("%s, n = %d: %v", f.Method, f.Sizes.N, f.Skip)
		}
		if f.Flops > 1e8 || f.Memory.Total() > 10<<20 {
			t.Errorf("%s, n = %d: %.2g flops, %s", f.Method, f.Sizes.N, f.Flops, f.Memory)
		}
		fits = append(fits, f)
	}
	if len(fits) != 3 || g.MaxN != 100 || g.MaxGramN != 100 || g.MaxRows != 0 {
		t.Errorf("%d fits, largest sample %d, Gram matrix %d, streamed %d", len(fits), g.MaxN, g.MaxGramN, g.MaxRows)
	}
	if fits[1].Flops != fits[2].Flops || fits[1].Method != "b" {
		t.Errorf("the work of %s depends on n beyond the atoms: %g and %g", fits[1].Method, fits[1].Flops, fits[2].Flops)
	}
}

// TestMercerFeaturesOfFewAtoms: 10^8 draws of 99 eigenfunctions take the time of the draws, as
// long as 500 flops each, and the bytes of their indices, 0.8 GB, in the fit, and no more
// coordinates than 99 in measures.
func TestMercerFeaturesOfFewAtoms(t *testing.T) {
	p, err := prepared(t, strings.Replace(onAtoms, "m: 20", "m: 100000000", 1)+"  - {id: a, use: rff, features: mercer, center: none}\nmeasure: [skp_features]\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Groups[0].Fits {
		if f.Skip != nil || f.Flops > 500*1e8+1e8 || f.Memory.Total() > 1<<30 {
			t.Errorf("n = %d: %v, %.2g flops, %s", f.Sizes.N, f.Skip, f.Flops, f.Memory)
		}
	}
}

// TestSpectrumMemory: eigenpairs count beside the fits where two of one n share them, and
// for no fit by itself, nor where time is measured.
func TestSpectrumMemory(t *testing.T) {
	two := "  - {id: a, use: nystrom, landmarks: leverage}\n  - {id: b, use: nystrom, landmarks: kdpp}\n"
	for _, test := range []struct {
		methods, measure string
		want             int64
	}{
		{two, "recon_l2", 8 * 100 * 101},
		{two, "recon_l2, time", 0},
		{two[:strings.Index(two, "\n")+1], "recon_l2", 0},
	} {
		p, err := prepared(t, onAtoms+test.methods+"measure: ["+test.measure+"]\n")
		if err != nil {
			t.Fatal(err)
		}
		g := p.Groups[0]
		if g.Memory.Spectrum != test.want {
			t.Errorf("%s, %s: %d bytes, want %d", test.methods, test.measure, g.Memory.Spectrum, test.want)
		}
		for _, f := range g.Fits {
			if f.Memory.Spectrum != 0 {
				t.Errorf("%s alone: %d bytes", f.Method, f.Memory.Spectrum)
			}
		}
	}
}
