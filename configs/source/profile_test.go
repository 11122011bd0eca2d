package source

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mercer/configs"
)

// TestProfileNames: package configs knows the names of the files.
func TestProfileNames(t *testing.T) {
	files, err := fs.Glob(profileFiles, "profiles/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(file, "profiles/"), ".yaml"))
	}
	if slices.Sort(names); !slices.Equal(names, configs.ProfileNames()) {
		t.Errorf("files %v, names %v", names, configs.ProfileNames())
	}
}

func TestProfiles(t *testing.T) {
	if diff := cmp.Diff([]string{"ci", "paper", "smoke", "timing"}, configs.ProfileNames()); diff != "" {
		t.Error(diff)
	}
	for _, name := range configs.ProfileNames() {
		p, err := Profile(name)
		if err != nil {
			t.Error(err)
		} else if c := p.Compare; p.Name != name || p.Describe == "" || c.Confidence < 0.99 || c.Drift > c.Elsewhere {
			t.Errorf("profile %q is %+v", name, p)
		}
	}
	_, err := Profile("smok")
	if err == nil || err.Error() != `unknown profile "smok"; did you mean "smoke"?` {
		t.Errorf("error %v", err)
	}
	thresholds := "compare: {drift: 1e-9, drift_elsewhere: 1e-6, worse: 0.01, slower: 1.1, confidence: 0.99}"
	got, err := parseProfile("p.yaml", []byte("{name: x, describe: y, memory: 4GiB, cell_timeout: 90s, strict: true, "+thresholds+"}"))
	want := configs.RunProfile{Name: "x", Describe: "y", Memory: "4GiB", CellLimits: configs.CellLimits{CellTimeout: 90 * time.Second}, Strict: true,
		Compare: configs.Compare{Drift: 1e-9, Elsewhere: 1e-6, Worse: 0.01, Slower: 1.1, Confidence: 0.99}}
	if err != nil || got != want {
		t.Errorf("%+v, error %v", got, err)
	}
	for text, want := range map[string]string{
		"{name: x, describe: y, memory: lots, " + thresholds + "}":    `p.yaml:1:32: memory "lots" is neither a share such as 80% nor a size such as 4GiB`,
		"{name: x, describe: y, cell_timeout: 5, " + thresholds + "}": `p.yaml:1:38: "cell_timeout" must be a duration such as "90s" or "1h30m", found the number 5`,
	} {
		if _, err := parseProfile("p.yaml", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// FuzzProfile: a run profile is refused, or all that it says can be used.
func FuzzProfile(f *testing.F) {
	for _, name := range configs.ProfileNames() {
		text, err := profileFiles.ReadFile("profiles/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("memory: 80%")
	f.Add("memory: 1e9 GiB")
	f.Fuzz(func(t *testing.T, text string) {
		if bytes, err := configs.ParseMemory(text, 1<<40); err == nil && bytes > 1<<62 {
			t.Errorf("%q are %d bytes", text, bytes)
		}
		p, err := parseProfile("f.yaml", []byte(text))
		if err != nil {
			return
		}
		if _, err := configs.ParseMemory(p.Memory, 1<<30); err != nil || p.Workers < 0 || p.CellTimeout < 0 || p.MaxRepeats < 0 {
			t.Errorf("%q is accepted as %+v, %v", text, p, err)
		}
	})
}
