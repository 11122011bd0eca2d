package configs_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	. "mercer/configs"
	"mercer/configs/source"
)

func TestUnder(t *testing.T) {
	s := load(t, "everything.yaml")
	before := s.Tree.Canonical()
	for _, test := range []struct {
		profile string
		change  func(s *Spec)
	}{
		{"paper", func(*Spec) {}},
		{"timing", func(*Spec) {}},
		{"ci", func(s *Spec) {
			s.Repeats.Value, s.Claims, s.Checks, s.Budgets = 16, []Claim{}, []Claim{}, []Budget{}
			s.Plots = s.Plots[:1]
			few, err := source.Params("dataset", "pts", "{label: -1, path: few.csv}")
			if err != nil {
				t.Fatal(err)
			}
			s.Datasets[1].Params = few
		}},
		{"smoke", func(s *Spec) {
			s.Repeats.Value, s.Measure.Words = 2, words("recon_h")
			s.Methods, s.Claims = s.Methods[:2], s.Claims[1:2]
			s.Plots = s.Plots[:2]
			s.Datasets, s.Budgets = s.Datasets[:1], s.Budgets[:1]
			s.Grid.Variables[0].Values = []Value{{Text: "50"}}
			s.Grid.Variables[5].Values = []Value{{Text: "0.5"}}
		}},
	} {
		t.Run(test.profile, func(t *testing.T) {
			want := load(t, "everything.yaml")
			test.change(want)
			got, err := source.Under(s, test.profile)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, ignorePlaces, cmpopts.IgnoreFields(Spec{}, "Tree", "Profiles", "Incomplete", "LeftOut", "Expressions"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("spec (-want +got):\n%s", diff)
			}
			if s.Tree.Canonical() != before {
				t.Error("the spec itself has changed")
			}
		})
	}
}

// TestCaps: a profile caps the repeats of a spec that says nothing of them.
func TestCaps(t *testing.T) {
	for spec, want := range map[string]int{"nystrom-kpca-rates.yaml": 16, "csv-population.yaml": 1} {
		if got, err := source.Under(load(t, spec), "ci"); err != nil || got.Repeats.Value != want {
			t.Errorf("%s: %d repeats, error %v; want %d", spec, got.Repeats.Value, err, want)
		}
	}
}

func TestOverlayCircle(t *testing.T) {
	text := specWith("  n: \"2*m\"\n  m: 3\n") + "profiles: {ci: {grid: {m: n/2}}}\n"
	_, err := source.Parse("s.yaml", []byte(text))
	if err == nil || !strings.Contains(err.Error(), "in a circle: n -> m -> n") {
		t.Errorf("error %v", err)
	}
}

func TestParseMemory(t *testing.T) {
	for text, want := range map[string]uint64{
		"": 0, "80%": 800, "100%": 1000, "4GiB": 4 << 30, "1.5 KiB": 1536, "2GB": 2e9, "7B": 7,
	} {
		if got, err := ParseMemory(text, 1000); err != nil || got != want {
			t.Errorf("%q is %d, error %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"0%", "101%", "-1GB", "4", "GiB", "0B", "1e9B", "99999999999TiB", "4 gib"} {
		if got, err := ParseMemory(text, 1000); err == nil {
			t.Errorf("%q is %d, want an error", text, got)
		}
	}
}
