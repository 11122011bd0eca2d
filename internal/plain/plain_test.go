package plain

import (
	"math"
	"strings"
	"testing"
	"time"
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

func TestSix(t *testing.T) {
	for x, want := range map[float64]string{1234567: "1234567", 0.123456789: "0.123457", 12345.6789: "12345.7", 2.0 / 3: "0.666667"} {
		if got := Six(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}

func TestCapital(t *testing.T) {
	for text, want := range map[string]string{"with m": "With m", "a line": "A line", "mini-batches end": "Mini-batches end", "every,": "Every,", "über": "Über",
		"m of": "m of", "k-means in": "k-means in", "recon_h falls": "recon_h falls", "n² falls": "n² falls", "nDCG": "nDCG", "": "", "R of": "R of", "10 of": "10 of"} {
		if got := Capital(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
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

func TestLists(t *testing.T) {
	for got, want := range map[string]string{
		Count(0, "record"): "0 records", Count(1, "record"): "1 record", Count(2, "record is", "records are"): "2 records are", Count(1, "record is", "records are"): "1 record is",
		Some(nil, 2): "", Some([]string{"a", "b"}, 2): "a, b", Some([]string{"a", "b", "c", "d"}, 2): "a, b and 2 more",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTable(t *testing.T) {
	got := Table([]string{"a", "long"}, [][]string{{Paint("x", Red), "two\nlines"}})
	want := "+---+-------+\n| a | long  |\n+---+-------+\n| \x1b[31mx\x1b[0m | two   |\n|   | lines |\n+---+-------+\n"
	if got != want || Paint("x", 0) != "x" {
		t.Errorf("\n%s, want\n%s", got, want)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{40 * time.Millisecond: "0.0s", 9949 * time.Millisecond: "9.9s", 9950 * time.Millisecond: "10s", 65 * time.Second: "1m5s"} {
		if got := Duration(d); got != want {
			t.Errorf("%v is written %s, want %s", d, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for text, want := range map[string]string{"": "", "one two three": "one two|three", "few-are-too-few of them": "few-are-too-few|of them"} {
		if got := strings.Join(Wrap(text, 8), "|"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
