package plain

import (
	"math"
	"testing"
)

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		1000000: "1000000", 0.05: "0.05", 1.5: "1.5", 0: "0", -3: "-3", 1e20: "1e+20", 1e-9: "1e-09", 0.1: "0.1",
	} {
		if got := Number(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
	if got := Number(math.Copysign(0, -1)); got != "-0" {
		t.Errorf("negative zero is written %s", got)
	}
}

func TestText(t *testing.T) {
	for s, want := range map[string]string{
		"a\nb\t\u2028 c": "a b c", "\x1b[31m": "�[31m", "bad \xff": "bad �", "\u202eback": "�back", "\ue010code": "�code",
	} {
		if got := Text(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}
