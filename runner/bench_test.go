package runner

import (
	"context"
	"fmt"
	"testing"
	"time"

	"mercer/configs"
	"mercer/linalg"
)

// benchPlan prepares a spec; the time that takes is part of what is measured.
func benchPlan(b *testing.B, text string) *Plan {
	b.Helper()
	spec, err := configs.Parse("bench.yaml", []byte(text))
	if err != nil {
		b.Fatal(err)
	}
	resolved, err := Resolve(spec)
	if err != nil {
		b.Fatal(err)
	}
	plan, err := Prepare(context.Background(), resolved, PrepareOptions{})
	if err != nil {
		b.Fatal(err)
	}
	return plan
}

func benchRun(b *testing.B, text string, workers int) (records int, elapsed time.Duration) {
	b.Helper()
	begun := time.Now()
	plan := benchPlan(b, text)
	_, err := Run(context.Background(), plan, plan.Manifest("paper", "", "", "", ThisMachine()), Options{Dir: b.TempDir(), Workers: workers})
	if err != nil {
		b.Fatal(err)
	}
	return plan.Records(), time.Since(begun)
}

// BenchmarkRecord is the cost of a record whose fit costs nearly nothing: what
// the harness adds to each, planning and storing included.
func BenchmarkRecord(b *testing.B) {
	const spec = `
name: overhead
title: overhead
seed: 1
repeats: 500
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [4, 5, 6, 7], ell: 2}
methods: [{id: ekpca, use: ekpca, center: u}]
measure: [eigenvalues]
`
	records, elapsed := 0, time.Duration(0)
	for b.Loop() {
		r, d := benchRun(b, spec, 1)
		records, elapsed = records+r, elapsed+d
	}
	b.ReportMetric(float64(elapsed.Microseconds())/float64(records), "µs/record")
}

// BenchmarkWorkers is the series grid on one and on two processors, in turns:
// records a second, and how much two are worth.
func BenchmarkWorkers(b *testing.B) {
	if _, err := linalg.Use(); err != nil {
		b.Fatal(err)
	}
	defer linalg.UseGonum()
	const spec = `
name: series
title: series
seed: 1
repeats: 8
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid:
  n: [250, 500, 1000]
  theta: [0.5, 0.75]
  ell: "ceil(n^(theta/alpha))"
  m: "min(n, ceil(n^theta * log(n)))"
methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
measure: [recon_h, recon_l2]
`
	rates := map[int]float64{}
	for b.Loop() {
		for _, workers := range []int{1, 2} {
			records, elapsed := benchRun(b, spec, workers)
			rates[workers] = max(rates[workers], float64(records)/elapsed.Seconds())
		}
	}
	for workers, rate := range rates {
		b.ReportMetric(rate, fmt.Sprintf("records/s-%d", workers))
	}
	b.ReportMetric(rates[2]/rates[1], "ratio")
}
