package configs

import (
	"slices"
	"testing"
)

func TestProfiles(t *testing.T) {
	if !slices.IsSorted(ProfileNames()) || !slices.Contains(ProfileNames(), DefaultProfile) {
		t.Errorf("profiles %q", ProfileNames())
	}
	for _, p := range profiles {
		if _, err := ParseMemory(p.Memory, 1<<40); err != nil {
			t.Errorf("profile %+v, error %v", p, err)
		}
	}
	if _, err := Profile("smok"); err == nil || err.Error() != `unknown profile "smok"; did you mean "smoke"?` {
		t.Errorf("error %v", err)
	}
}

// FuzzParseMemory: a text is refused, or a size that fits.
func FuzzParseMemory(f *testing.F) {
	for _, text := range []string{"80%", "4GiB", "1e9 GiB", "lots", "0.5 MB", "101%", "0B"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bytes, err := ParseMemory(text, 1<<40)
		if err == nil && (bytes > 1<<62 || bytes == 0 && text != "") {
			t.Errorf("%q are %d bytes", text, bytes)
		}
	})
}
