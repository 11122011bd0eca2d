package configs

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestProblems(t *testing.T) {
	var p Problems
	if p.Err() != nil {
		t.Error("no problems are an error")
	}
	p.Add(nil)
	p.Add(Errorf(Pos{"b.yaml", 2, 3}, "second %s", "file"))
	p.Add(errors.Join(Errorf(Pos{"a.yaml", 10, 1}, "ten"), Problems{{Pos{"a.yaml", 9, 7}, "nine"}, {Pos{"a.yaml", 9, 2}, "nine early"}}))
	p.Add(fmt.Errorf("kernel %q: %w", "wide", Errorf(Pos{"a.yaml", 11, 1}, "sigma is 0")))
	p.Add(errors.New("no place"))
	p.Add(Errorf(Pos{"a.yaml", 10, 1}, "ten"))
	p.Add(Errorf(Pos{"a.yaml", 12, 1}, "no column"))
	want := strings.Join([]string{
		"no place", "a.yaml:9:2: nine early", "a.yaml:9:7: nine", "a.yaml:10:1: ten",
		`a.yaml:11:1: kernel "wide": sigma is 0`, "a.yaml:12:1: no column", "b.yaml:2:3: second file",
	}, "\n")
	if diff := cmp.Diff(want, p.Err().Error()); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestNearest(t *testing.T) {
	keys := []string{"landmarks", "ridge", "center", "n", "m", "ell", "recon_h", "recon_l2"}
	for word, want := range map[string]string{
		"landmark": "landmarks", "Landmarks": "landmarks", "lnadmarks": "landmarks", "rigde": "ridge",
		"centre": "center", "nn": "n", "el": "ell", "recon_l": "recon_h", "x": "", "": "", "banana": "",
		"kernel": "", strings.Repeat("n", 100): "",
	} {
		if got := Nearest(word, keys); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestUnknown(t *testing.T) {
	for _, test := range []struct {
		got, want string
	}{
		{Unknown("key", "landmark", `method "nystrom"`, []string{"landmarks"}), `unknown key "landmark" in method "nystrom"; did you mean "landmarks"?`},
		{Unknown("method", "q", "", []string{"zeta", "alpha", "zeta"}), `unknown method "q"; known: alpha, zeta`},
		{Unknown("key", "a", "kernel \"k\"", nil), `unknown key "a" in kernel "k"; there are none here`},
	} {
		if test.got != test.want {
			t.Errorf("got  %s\nwant %s", test.got, test.want)
		}
	}
}
