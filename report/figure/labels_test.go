package figure

import (
	"testing"

	"mercer/report/format"
	"mercer/report/reporttest"
)

func TestLabels(t *testing.T) {
	l := LabelsOf(reporttest.Labelled(map[string]string{"rff": "features", "nystrom-2": "Nyström, twice", "recon_l2": "my T", "my-t": "mine"},
		"nystrom-2 nystrom", "nystrom-rls nystrom", "lean nystrom", "kjl", "kpca kpca-subsample", "exact kpca"))
	for text, want := range map[string]string{
		"recon_h": "reconstruction error R", "recon_l2": "my T", "time_total (s)": "time of the fit (s)",
		"recon_h / recon_h_floor": "R / floor of R", "log(recon_l2)": "log(my T)", "n^theta": "n^θ", "m": "landmarks or features m", "n": "points n", "recon_h/recon_h_floor": "R/floor of R", "m/n": "m/n", "ell": "components ℓ",
	} {
		if got := l.Axis(text); got != want {
			t.Errorf("axis %q: %q; want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"method nystrom, theta = 0.5: slope": "method Nyström, θ = 0.5: slope", "nystrom-2": "Nyström, twice",
		"nystrom-3": "nystrom-3", "nystrom-rls": "Nyström (nystrom-rls)", "lean": "lean", "kjl": "K-JL", "kpca": "KPCA of a subsample", "rff": "features", "thetas": "thetas", "R of recon_h": "R of recon_h",
	} {
		if got := l.in(text); got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}

// Captions have the labels of axes, sizes by their letters; where a verdict stands is said in labels alone.
func TestNamed(t *testing.T) {
	l := LabelsOf(reporttest.Labelled(map[string]string{"penguins": "Palmer penguins", "n": "birds"}, "small nystrom", "exact ekpca"))
	for text, want := range map[string]string{
		"recon_h": "reconstruction error R", "recon_h/recon_h_floor": "R/floor of R", "own": "own",
		"m": "m", "n": "birds", "theta": "θ",
	} {
		if got := l.named(text); got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
	where := format.PlainWhere(l.Where(reporttest.At("dataset", "penguins", "method", "nystrom/ekpca", "theta", "0.5", "n", "10")))
	if want := "dataset Palmer penguins, method Nyström / empirical KPCA, θ = 0.5, birds = 10"; where != want {
		t.Errorf("%q; want %q", where, want)
	}
}

// A chart has labels in place of names; long ones stay inside.
func TestLabelled(t *testing.T) {
	chart := func() Chart { return read(plotOf(t, "rates"), reporttest.FixedRun()).Chart }
	long := chart().labelled(LabelsOf(reporttest.Labelled(map[string]string{"ekpca": "kernel PCA on all points, centred", "rff": "random Fourier features, as many as landmarks"})))
	if got := long.Panels[0].Y.Label; got != "reconstruction error R" {
		t.Errorf("the axis is %q", got)
	}
	checkDrawing(t, "labelled", long)
}
