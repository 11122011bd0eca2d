package plan

import (
	"testing"

	"mercer/configs"
	"mercer/experiments"
)

// TestCatalog: every experiment resolves under every profile, says what it is
// about, and has a smoke profile.
func TestCatalog(t *testing.T) {
	for _, name := range experiments.Names() {
		text, _ := experiments.Text(name)
		spec, err := configs.Parse("experiments/"+name+".yaml", text)
		if err != nil {
			t.Error(err)
			continue
		}
		if spec.Name != name || spec.Title == "" || spec.Source == "" || spec.Question == "" || len(spec.Claims)+len(spec.Targets) == 0 {
			t.Errorf("%s: its name must be its file's, and it needs title, source, question, and claims or targets", name)
		}
		smoke := false
		for _, overlay := range spec.Profiles {
			smoke = smoke || overlay.Profile == "smoke"
		}
		if !smoke {
			t.Errorf("%s has no profile smoke", name)
		}
		for _, profile := range configs.ProfileNames() {
			under, err := spec.WithProfile(profile)
			if err == nil {
				_, err = Resolve(under)
			}
			if err != nil {
				t.Errorf("profile %s: %v", profile, err)
			}
		}
	}
}
