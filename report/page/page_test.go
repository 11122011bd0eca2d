package page

import (
	"testing"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"recon_h_floor":     "recon_h_floor",
		"_emphasis_":        `\_emphasis\_`,
		"a|b\nc":            `a\|b c`,
		"<b>&amp;":          `\<b>\&amp;`,
		"n^2 ~ $x$":         `n^2 \~ \$x\$`,
		"bad \xff byte":     "bad � byte",
		"esc \x1b[0m":       `esc �[0m`,
		"p < 0.01 <= 1":     "p < 0.01 <= 1",
		"[x](javascript:y)": `\[x\](javascript:y)`,
		"AT&T & co":         `AT\&T & co`,
		"# no heading":      `\# no heading`,
		"- no list":         `\- no list`,
		"-0.5 is less":      "-0.5 is less",
	} {
		if got := MarkdownText(Escape(in)); got != want {
			t.Errorf("%q: %q; want %q", in, got, want)
		}
	}
	if got := MarkdownText(Code("a`b")); got != "a\\`b" {
		t.Errorf("%q", got)
	}
	if got := MarkdownText(Code("recon_h")); got != "`recon_h`" {
		t.Errorf("%q", got)
	}
}
