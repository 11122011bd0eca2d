package metrics

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/methods"
)

// TestMeasuresThatNeedTheSample: of models that may be fitted to streamed points,
// measures give the same with and without the points of the sample, but for those
// that say they need them; these cannot be computed without them.
func TestMeasuresThatNeedTheSample(t *testing.T) {
	w := heldOutWorld(t)
	truth := w.truth()
	n, _ := truth.HeldOut.Dims()
	for i := range max(worldN, n) {
		truth.Labels, truth.HeldOutLabels = append(truth.Labels, i%2), append(truth.HeldOutLabels, i/2%2)
	}
	truth.Labels, truth.HeldOutLabels = truth.Labels[:worldN], truth.HeldOutLabels[:n]
	features := methods.FeatureOptions{Features: "fourier", Center: "none"}
	needed := map[string]bool{}
	for use, options := range map[string]methods.Options{
		"nystrom": methods.Registry["nystrom"].New(), "rff": &methods.RFFOptions{Features: features.Features, Center: features.Center}, "kjl": methods.Registry["kjl"].New(),
		"rf-oja":            &methods.OjaOptions{FeatureOptions: features, RateOptions: methods.RateOptions{Schedule: "adaoja"}},
		"nystrom-embedding": methods.Registry["nystrom-embedding"].New(), "kpca-subsample": methods.Registry["kpca-subsample"].New(),
		"rff-embedding": &methods.RFFEmbeddingOptions{Features: "fourier"},
	} {
		method, err := options.Method()
		if err != nil {
			t.Fatal(err)
		}
		sizes := methods.Sizes{N: worldN, M: 20, D: 3, Ell: 2}
		if !options.Traits().Streams(sizes) {
			t.Errorf("%s does not stream", use)
		}
		model, err := method.Fit(t.Context(), methods.Sample{X: w.x, Kernel: w.kernel, Sizes: sizes}, newRand(5))
		if err != nil {
			t.Fatalf("%s: %v", use, err)
		}
		shape := methods.ShapeOf(model)
		for name, m := range Registry {
			if m.compute == nil || undefined(name, shape, truth.offer()) != nil {
				continue
			}
			measure := func(truth Truth) (values map[string]float64, err error) {
				defer func() {
					if v := recover(); v != nil {
						err = fmt.Errorf("panic: %v", v)
					}
				}()
				all, _, err := Evaluate(t.Context(), truth, model, []int{2}, []string{name})
				if err != nil {
					return nil, err
				}
				return all[0], nil
			}
			want, err := measure(truth)
			if err != nil {
				t.Fatalf("%s of %s: %v", name, use, err)
			}
			without := truth
			without.X = nil
			got, err := measure(without)
			switch {
			case m.NeedsSample(shape):
				needed[name] = needed[name] || err != nil
			case err != nil:
				t.Errorf("%s of %s needs the points of the sample, and does not say so: %v", name, use, err)
			default:
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s of %s with (-) and without the points of the sample (+):\n%s", name, use, diff)
				}
			}
		}
	}
	for _, name := range []string{"kjl_separation", "nystrom_residual", "effective_dimension", "separation"} {
		if !needed[name] {
			t.Errorf("%s says that it needs the points of the sample, and does not", name)
		}
	}
}
