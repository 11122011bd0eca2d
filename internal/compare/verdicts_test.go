package compare

import (
	"strings"
	"testing"

	"mercer/internal/claims"
)

// bounded is a run whose claim is a bound that is twice a measured value, and between 3
// and 9 times the trivial value, all divided by a factor.
func bounded(factor float64) Side {
	s := steady()
	tightness, low, high := factor/2, 3/factor, 9/factor
	v := verdict("bound", "a", claims.Holds)
	v.Tightness, v.Trivial = &tightness, &claims.Trivial{Low: &low, High: &high}
	s.Verdicts = []claims.Verdict{v}
	return s
}

// TestBounds: a bound that becomes 20 times as small or as large is a regression, though
// it holds before and after, and though the base is read from a reference.
func TestBounds(t *testing.T) {
	without := func(s Side) Side { s.Verdicts[0].Tightness = nil; return s }
	for _, tt := range []struct {
		name      string
		base, new Side
		want      string // of the only finding; "" for none
	}{
		{"the same", bounded(1), bounded(1), ""},
		{"within rounding", bounded(1), bounded(1 + 1e-5), ""},
		{"÷ 20", bounded(1), bounded(20), "exp: bound a: measured/bound: 0.5 → 10 (× 20) on the same numbers: the bound changed; if intended, renew the base by mercer export RUN --format reference --out DIR"},
		{"× 20", bounded(1), bounded(0.05), "exp: bound a: measured/bound: 0.5 → 0.025 (× 0.05) on the same numbers"},
		{"0.1 % tighter", bounded(1), bounded(1.001), "(× 1.001) on the same numbers"},
		{"no longer known", bounded(1), without(bounded(1)), "exp: bound a: measured/bound: is no longer known"},
		{"÷ 20 at another seed", bounded(1), reseeded(bounded(20), 8), "exp: changed: seed 7 → 8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all := Compare([]Pair{{kept(t, tt.base), tt.new}}, options).All()
			if tt.want == "" && len(all) > 0 || tt.want != "" && (len(all) != 1 || !strings.Contains(all[0].String(), tt.want)) {
				t.Errorf("%d findings: %v; want %q", len(all), all, tt.want)
			}
		})
	}
}
