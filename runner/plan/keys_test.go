package plan

import "testing"

// The keys of records stay, so that a run of before is resumed and not run again.
// The key of this record changes with the version of ekpca and the fingerprint of
// the population alone.
func TestKeyStays(t *testing.T) {
	p := planOf(t, `
name: small
title: A small run
seed: 7
repeats: 1
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [50], m: [5], ell: 2, theta: [0.5]}
methods: [{id: ekpca, use: ekpca, center: u}]
measure: [recon_h]
`, "")
	g := p.Groups[0]
	const want = "9595a158a1fe49851f3fd31e7f67b940"
	if key := g.Key(g.Fits[0].Cells[0]); key != want {
		t.Errorf("the key is %s, want %s", key, want)
	}
}
