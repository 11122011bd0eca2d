package figure

import (
	"testing"

	"mercer/report/format"
)

func TestLabels(t *testing.T) {
	l := LabelsOf(labelledRun(map[string]string{"rff": "features", "nystrom-2": "Nyström, twice", "recon_l2": "my T", "my-t": "mine"},
		"nystrom-2 nystrom", "nystrom-rls nystrom", "lean nystrom", "kjl", "kpca kpca-subsample", "exact kpca"))
	for text, want := range map[string]string{
		"recon_h": "reconstruction error R", "recon_l2": "my T", "time_total (s)": "time of the fit (s)",
		"recon_h / recon_h_floor": "R / floor of R", "log(recon_l2)": "log(my T)", "n^theta": "n^θ", "m": "landmarks or features m", "n": "points n", "recon_h/recon_h_floor": "R / floor of R", "m/n": "m/n", "ell": "components ℓ",
	} {
		if got := l.Axis(text); got != want {
			t.Errorf("axis %q: %q; want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"method nystrom, theta = 0.5: slope": "method Nyström, θ = 0.5: slope", "nystrom-2": "Nyström, twice",
		"nystrom-3": "nystrom-3", "nystrom-rls": "Nyström (nystrom-rls)", "lean": "lean", "kernel lean": "kernel lean", "kernel kjl, kjl": "kernel kjl, K-JL", "kernel my-t": "kernel mine", "kjl": "K-JL", "kpca": "KPCA of a subsample", "rff": "features", "thetas": "thetas", "R of recon_h": "R of recon_h",
	} {
		if got := l.in(text); got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}

// Captions have the labels of axes, sizes by their letters; where a verdict stands is said in labels alone.
func TestNamed(t *testing.T) {
	l := LabelsOf(labelledRun(map[string]string{"penguins": "Palmer penguins", "n": "birds"}, "small nystrom", "exact ekpca"))
	for text, want := range map[string]string{
		"recon_h": "reconstruction error R", "recon_h/recon_h_floor": "R / floor of R", "own": "own",
		"m": "m", "n": "birds", "theta": "θ",
	} {
		if got := l.named(text); got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
	if got := l.Axis("m"); got != "landmarks m" {
		t.Errorf("m of a spec with landmarks alone is %q", got)
	}
	where := format.PlainWhere(l.Where(keyOf("dataset", "penguins", "method", "nystrom/ekpca", "theta", "0.5", "n", "10")))
	if want := "dataset Palmer penguins, method Nyström / empirical KPCA, θ = 0.5, birds = 10"; where != want {
		t.Errorf("%q; want %q", where, want)
	}
}

// Powers are raised, with brackets in them, indices of letters are sunk, and nothing else is
// changed.
func TestRaised(t *testing.T) {
	for text, want := range map[string]string{
		"n^(-theta*(1-1/alpha))": "n" + raise + "−θ(1−1/α)" + lower, "n^theta log n": "n" + raise + "θ" + lower + " log n", "n^-0.5": "n" + raise + "−0.5" + lower,
		"m^(1/2) n": "m" + raise + "1/2" + lower + " n", "a ^ b": "a ^ b",
		"m^{1/2}": "m" + raise + "1/2" + lower, "W(C, μ_test)": "W(C, μ" + sink + "test" + lower + ")", "σ_{X, 1}^2": "σ" + sink + "X, 1" + lower + raise + "2" + lower,
		"recon_h": "recon_h", "my_x_y": "my_x_y", "R (s)": "R (s)", "n^(": "n^(",
	} {
		if got := LabelsOf(emptyRun()).shown(text); got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}

// A chart has labels in place of names, and longer ones make room for themselves.
func TestLabelled(t *testing.T) {
	chart := func() Chart { return read(plotOf(t, "rates"), fixedRun()).Chart }
	height := chart().height()
	long := chart().labelled(LabelsOf(labelledRun(map[string]string{"ekpca": "kernel PCA on all points, centred", "rff": "random Fourier features, as many as landmarks"})))
	if got := long.Panels[0].Y.Label; got != "reconstruction error R" || long.height() <= height {
		t.Errorf("the axis is %q, in a height of %v, before %v", got, long.height(), height)
	}
	checkDrawing(t, "labelled", long)
}

// A kernel does not take the label of a method of the same name, nor a value the words of an
// axis.
func TestWhere(t *testing.T) {
	labels := LabelsOf(labelledRun(map[string]string{"gaussian": "Gaussian sketch", "m": "landmarks or features m", "rings": "the rings"}, "gaussian gaussian-sketch", "nystrom"))
	at := keyOf("dataset", "rings", "kernel", "gaussian", "method", "gaussian/nystrom", "theta", "0.5", "m", "10")
	if got, want := format.PlainWhere(labels.Where(at)), "dataset the rings, kernel gaussian, method Gaussian sketch / Nyström, θ = 0.5, m = 10"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
