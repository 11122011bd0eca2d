package plan

import (
	"slices"
	"testing"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/experiments"
)

// TestCatalog: every experiment resolves under every profile, says what it is
// about, and has a smoke profile. Claims come with a control, which a run must violate:
// what would also hold for a wrong statement confirms nothing. Targets alone need none.
// Budgets answer by themselves.
func TestCatalog(t *testing.T) {
	for _, name := range experiments.Names() {
		text, _ := experiments.Text(name)
		spec, err := source.Parse("experiments/"+name+".yaml", text)
		if err != nil {
			t.Error(err)
			continue
		}
		if spec.Name != name || spec.Title == "" || spec.Source == "" || spec.Question == "" || len(spec.Claims)+len(spec.Targets) == 0 {
			t.Errorf("%s: its name must be its file's, and it needs title, source, question, and claims or targets", name)
		}
		if len(spec.Claims) > 0 && !slices.ContainsFunc(spec.Claims, func(c configs.Claim) bool { return c.Control }) {
			t.Errorf("%s has no control: a claim with control: true", name)
		}
		if len(spec.Claims) > 0 && len(spec.Budgets) == 0 && len(spec.Answer.Sentences()) < 3 {
			t.Errorf("%s: its answer needs sentences for holds, violated and open", name)
		}
		if _, smoke := spec.Profiles["smoke"]; !smoke {
			t.Errorf("%s has no profile smoke", name)
		}
		for _, profile := range configs.ProfileNames() {
			under, err := source.Under(spec, profile)
			if err == nil {
				_, err = Resolve(under)
			}
			if err != nil {
				t.Errorf("profile %s: %v", profile, err)
			}
		}
	}
}
