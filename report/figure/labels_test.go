package figure

import (
	"testing"

	"mercer/report/reporttest"
)

func TestLabels(t *testing.T) {
	l := LabelsOf(map[string]string{"rff": "random features", "nystrom-2": "Nyström, twice", "recon_l2": "my T"})
	for text, want := range map[string]string{
		"recon_h": "reconstruction error R", "recon_l2": "my T", "time_total (s)": "time of the fit (s)",
		"recon_h / recon_h_floor": "recon_h / recon_h_floor", "n^theta": "n^θ", "m": "m",
	} {
		if got := l.axis(text); got != want {
			t.Errorf("axis %q: %q; want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"method nystrom, theta = 0.5: slope": "method Nyström, θ = 0.5: slope", "nystrom-2": "Nyström, twice",
		"nystrom-3": "nystrom-3", "rff": "random features", "thetas": "thetas", "R of recon_h": "R of recon_h",
	} {
		if got := l.in(text); got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}

// Longer labels make room for themselves, and the chart they are made from stays as it is.
func TestLabelled(t *testing.T) {
	c := read(plotOf(t, "rates"), reporttest.FixedRun()).chart()
	before, height, rows := c.panels[0].y.label, c.height, len(c.legend)
	long := c.Labelled(LabelsOf(map[string]string{"ekpca": "kernel PCA on all points, centred", "rff": "random Fourier features, as many as landmarks"}))
	if got := long.panels[0].y.label; got != "reconstruction error R" || c.panels[0].y.label != before {
		t.Errorf("the axis is %q, was %q and is now %q", got, before, c.panels[0].y.label)
	}
	if len(long.legend) <= rows || long.height <= height || c.height != height {
		t.Errorf("%d rows of a legend in a height of %v, before %d and %v", len(long.legend), long.height, rows, height)
	}
	checkDrawing(t, "labelled", long)
}
