package cmd

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"mercer/runner/plan"
)

// planned is what plan forecasts of a spec.
func planned(t *testing.T, dataset, kernels, grid, method, measure string) plan.Forecast {
	t.Helper()
	spec := filepath.Join(t.TempDir(), "spec.yaml")
	text := fmt.Sprintf("name: forecast\nseed: 1\nrepeats: 1\ndatasets: [{id: d, %s}]\n%s\ngrid: {%s}\nmethods: [{id: a, %s}]\nmeasure: [%s]\n", dataset, kernels, grid, method, measure)
	if err := os.WriteFile(spec, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var view plan.Forecast
	if err := json.Unmarshal([]byte(succeeds(t, "plan", spec, "--json")), &view); err != nil {
		t.Fatal(err)
	}
	return view
}

// TestForecast: the work of the pieces that a forecast once left out, or counted in vain.
// Each lies within a factor of 2 of a count by hand.
func TestForecast(t *testing.T) {
	const rbf = "kernels: [{id: g, use: gaussian, sigma: 1, form: two-sigma-squared}]"
	for name, c := range map[string]struct {
		view  plan.Forecast
		flops float64
	}{
		// N² kernel values with their centring at 90 flops each, 10 products with 16 vectors, and one with
		// the functions, which waits for memory as long as 100 flops an element take.
		"operators of 20,000 held-out points": {planned(t, "use: sphere, d: 20, population: {held_out: 20000}", rbf, "n: 100, ell: 5", "use: ekpca, center: u", "recon_l2"), 4e8 * (90 + 320 + 110)},
		// m² kernel values at 22 flops each: the kernel matrix of any sample has a rank of about 60.
		"landmarks beyond the rank": {planned(t, "use: gaussian, sigma: 0.7", "", "n: 16384, m: 10240, ell: 3", "use: nystrom, landmarks: uniform", "recon_h"), 1e8 * 22},
		// n²p flops.
		"features beyond the points": {planned(t, "use: sphere, d: 3, population: none", rbf, "n: 1000, m: 20000, ell: 2", "use: rff, features: fourier", "eigenvalues"), 1e6 * 4e4},
	} {
		if f := c.view.Flops; f < c.flops/2 || f > 2*c.flops {
			t.Errorf("%s: %.3g flops, by hand %.3g", name, f, c.flops)
		}
	}
	few := planned(t, "use: sphere, d: 3, population: none", rbf, "n: 12, m: 20000, ell: 2", "use: rff, features: fourier", "eigenvalues")
	if bytes := few.Groups[0].Bytes; bytes > 50e6 {
		t.Errorf("12 points with 40,000 coordinates: %d bytes", bytes)
	}
}
