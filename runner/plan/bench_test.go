package plan

import (
	"context"
	"fmt"
	"io"
	"testing"
)

// BenchmarkShardPlan makes the plan of 10,000 of a million records, which have fits
// to themselves or share them.
func BenchmarkShardPlan(b *testing.B) {
	const tens = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
	for _, shared := range []struct {
		cells int // of a fit
		grid  string
	}{
		{1, "{n: '20*a', m: '10+b+10*c', ell: 1, a: " + tens + ", b: " + tens + ", c: " + tens + "}"},
		{10, "{n: '20*a', m: '10+b', ell: " + tens + ", a: " + tens + ", b: " + tens + "}"},
		{1000, "{n: 20, m: 10, ell: " + tens + ", a: " + tens + ", b: " + tens + "}"},
	} {
		b.Run(fmt.Sprintf("cells=%d", shared.cells), func(b *testing.B) {
			b.ReportAllocs()
			input := Input{File: "bench.yaml", Profile: "paper", Spec: `
name: many
seed: 9
repeats: 1000
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: ` + shared.grid + `
methods: [{id: nystrom, use: nystrom}]
measure: [recon_h]
`}
			for b.Loop() {
				p, err := input.PrepareShard(context.Background(), io.Discard, &Shard{From: 500_000, To: 510_000})
				if err != nil {
					b.Fatal(err)
				}
				if fits := len(p.Groups) * len(p.Groups[0].Fits); p.Records() != 10_000 || fits*shared.cells != 1_000_000 {
					b.Fatalf("%d records, %d fits", p.Records(), fits)
				}
			}
		})
	}
}
