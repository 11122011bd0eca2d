package configs

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWithProfile(t *testing.T) {
	s := load(t, "everything.yaml")
	before := load(t, "everything.yaml")
	for _, test := range []struct {
		profile string
		change  func(s *Spec)
	}{
		{"paper", func(*Spec) {}},
		{"timing", func(*Spec) {}},
		{"ci", func(s *Spec) {
			s.Repeats.Value, s.Claims, s.Checks, s.Budgets = 16, []Claim{}, []Claim{}, []Budget{}
			few, err := ParamsFrom("dataset", "pts", "{label: -1, path: few.csv}")
			if err != nil {
				t.Fatal(err)
			}
			s.Datasets[1].Params = few
		}},
		{"smoke", func(s *Spec) {
			s.Repeats.Value, s.Measure = 2, words("recon_h")
			s.Methods, s.Claims = s.Methods[:2], s.Claims[1:2]
			s.Plots = []Plot{s.Plots[0], s.Plots[2]}
			s.Datasets, s.Budgets = s.Datasets[:1], s.Budgets[:1]
			s.Grid.Vars[0].Values = []Value{{Text: "50"}}
			s.Grid.Vars[2].Values = []Value{{Text: "0.5"}}
		}},
	} {
		t.Run(test.profile, func(t *testing.T) {
			want := load(t, "everything.yaml")
			test.change(want)
			want.Whole = s
			got, err := s.WithProfile(test.profile)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, ignorePlaces); diff != "" {
				t.Errorf("spec (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, s); diff != "" {
				t.Errorf("the spec itself has changed:\n%s", diff)
			}
		})
	}
}

// TestCaps: a profile caps the repeats of a spec that says nothing of them.
func TestCaps(t *testing.T) {
	for spec, want := range map[string]int{"nystrom-kpca-rates.yaml": 16, "csv-population.yaml": 1} {
		if got, err := load(t, spec).WithProfile("ci"); err != nil || got.Repeats.Value != want {
			t.Errorf("%s: %d repeats, error %v; want %d", spec, got.Repeats.Value, err, want)
		}
	}
}

func TestOverlayInZip(t *testing.T) {
	text := specWith("  zip:\n    - {n: [1, 2], m: [1, 2]}\n") + "profiles: {smoke: {grid: {n: [3], m: [2]}}}\n"
	s, err := Parse("s.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	small, err := s.WithProfile("smoke")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Grid.Zip[0][0].Values[0].Text; got != "1" {
		t.Errorf("the spec itself has changed: n is %s", got)
	}
	points, err := small.Grid.Points(nil)
	if err != nil || points.Len() != 1 || points.At(0)["n"] != 3 || points.At(0)["m"] != 2 {
		t.Errorf("%d points, error %v", points.Len(), err)
	}
}

func TestOverlayCircle(t *testing.T) {
	text := specWith("  n: \"2*m\"\n  m: 3\n") + "profiles: {ci: {grid: {m: n/2}}}\n"
	_, err := Parse("s.yaml", []byte(text))
	if err == nil || !strings.Contains(err.Error(), "in a circle: n -> m -> n") {
		t.Errorf("error %v", err)
	}
}

func TestProfiles(t *testing.T) {
	if diff := cmp.Diff([]string{"ci", "paper", "smoke", "timing"}, ProfileNames()); diff != "" {
		t.Error(diff)
	}
	for _, name := range ProfileNames() {
		p, err := LoadProfile(name)
		if err != nil {
			t.Error(err)
		} else if c := p.Compare; p.Name != name || p.Describe == "" || c.Confidence < 0.99 || c.Drift > c.Elsewhere {
			t.Errorf("profile %q is %+v", name, p)
		}
	}
	_, err := LoadProfile("smok")
	if err == nil || err.Error() != `unknown profile "smok"; did you mean "smoke"?` {
		t.Errorf("error %v", err)
	}
	thresholds := "compare: {drift: 1e-9, drift_elsewhere: 1e-6, worse: 0.01, slower: 1.1, confidence: 0.99}"
	got, err := parseProfile("p.yaml", []byte("{name: x, describe: y, memory: 4GiB, cell_timeout: 90s, strict: true, "+thresholds+"}"))
	want := RunProfile{Name: "x", Describe: "y", Memory: "4GiB", CellLimits: CellLimits{CellTimeout: 90 * time.Second}, Strict: true,
		Compare: Compare{Drift: 1e-9, Elsewhere: 1e-6, Worse: 0.01, Slower: 1.1, Confidence: 0.99}}
	if err != nil || got != want {
		t.Errorf("%+v, error %v", got, err)
	}
	for text, want := range map[string]string{
		"{name: x, describe: y, memory: lots, " + thresholds + "}":    `p.yaml:1:24: memory "lots" is neither a share such as 80% nor a size such as 4GiB`,
		"{name: x, describe: y, cell_timeout: 5, " + thresholds + "}": `p.yaml:1:38: "cell_timeout" must be a duration such as "90s" or "1h30m", found the number 5`,
	} {
		if _, err := parseProfile("p.yaml", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
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
