package methods_test

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mercer/internal/kernel"
	"mercer/methods"
)

// The enum of the schema is the registry of feature maps.
func TestFeaturesAreThoseOfTheRegistry(t *testing.T) {
	field, _ := reflect.TypeFor[methods.RFFOptions]().FieldByName("Features")
	listed := strings.Split(field.Tag.Get("enum"), ",")
	slices.Sort(listed)
	if want := slices.Sorted(maps.Keys(kernel.Maps)); !slices.Equal(listed, want) {
		t.Errorf("the schema lists %q, the registry holds %q", listed, want)
	}
}

func TestDimensionsBeyondASequenceAreRefused(t *testing.T) {
	for features, most := range map[string]int{"halton": 1000, "sobol": 1111} {
		method, err := (&methods.RFFOptions{Features: features, Center: "u"}).Method()
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []kernel.Kernel{kernel.NewGaussian(1), kernel.Matern{Half: 3, Sigma: 1}} {
			limit := most
			if k != kernel.Kernel(kernel.NewGaussian(1)) {
				limit-- // a coordinate goes to the length
			}
			if err := method.Check(k, methods.Sizes{N: 3, M: 2, Ell: 1}, limit); err != nil {
				t.Errorf("%s features of %s in %d dimensions: %v", features, k, limit, err)
			}
			p := methods.Sample{X: uniformPoints(1, 3, limit+1), Kernel: k, Sizes: methods.Sizes{N: 3, M: 2, Ell: 1}}
			refused := method.Check(k, p.Sizes, limit+1)
			_, err := method.Fit(context.Background(), p, newRand(1))
			if err == nil || !strings.Contains(err.Error(), "need a sequence in") || refused == nil || err.Error() != refused.Error() {
				t.Errorf("%s features of %s in %d dimensions: %v", features, k, limit+1, err)
			}
		}
	}
}

func TestModelsOfBiasedFeaturesSaySo(t *testing.T) {
	for dim, want := range map[int]bool{3: true, 32: true, 33: false, 64: false} {
		p := methods.Sample{X: uniformPoints(1, 20, dim), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 20, M: 5, Ell: 1}}
		caveats := fit(t, &methods.RFFOptions{Features: "sorf", Center: "u"}, p, 1).Caveats(1)
		if got := slices.ContainsFunc(caveats, func(c string) bool { return strings.Contains(c, "biased") }); got != want {
			t.Errorf("sorf features in %d dimensions: caveats %q", dim, caveats)
		}
	}
}
