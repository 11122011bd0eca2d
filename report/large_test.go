//go:build system

package report

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"mercer/configs"
	"mercer/internal/budget"
	"mercer/internal/claims"
	"mercer/internal/sizes"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/reporttest"
	"mercer/report/sections"
	"mercer/results"
)

// largeRun writes a run of 5 methods, 20 n, 20 m and 5 theta with so many repeats
// of each of these 10,000 cells.
func largeRun(tb testing.TB, repeats int) string {
	tb.Helper()
	dir := tb.TempDir()
	if *largeKept != "" {
		dir = *largeKept
		if err := os.MkdirAll(dir, 0o777); err != nil {
			tb.Fatal(err)
		}
	}
	file, err := os.Create(filepath.Join(dir, results.RecordsFile))
	if err != nil {
		tb.Fatal(err)
	}
	out := bufio.NewWriterSize(file, 1<<20)
	m := results.Manifest{Schema: results.SchemaVersion, Experiment: "large", Title: "A large run", Profile: "paper", Repeats: repeats, Spec: largeSpec,
		Variables: []string{"n", "theta", "m"}, Datasets: map[string]results.DatasetInfo{"poly2": {Describe: "series", Constants: map[string]float64{"alpha": 2}}}}
	for repeat := range repeats { // as a run ends them, not in canonical order
		for _, method := range []string{"rff", "nystrom", "kpca", "few", "ekpca"} {
			for cell := range 2000 {
				r := largeRecord(method, 100*(cell%20+1), 0.5+0.1*float64(cell/20%5), 10*(cell/100+1), repeat)
				r.Key = fmt.Sprintf("%032x", len(m.Keys))
				m.Keys = append(m.Keys, r.Key)
				line, err := results.Encode(r)
				if err != nil {
					tb.Fatal(err)
				}
				out.Write(append(line, '\n'))
			}
		}
	}
	m.Cells = len(m.Keys)
	if err := out.Flush(); err != nil {
		tb.Fatal(err)
	}
	if err := file.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := results.WriteManifest(dir, m); err != nil {
		tb.Fatal(err)
	}
	return dir
}

func largeRecord(method string, n int, theta float64, m, repeat int) results.Record {
	level := map[string]float64{"ekpca": 1, "few": 2, "kpca": 0.9, "nystrom": 1.05, "rff": 1.1}[method]
	floor := math.Pow(float64(n), -theta/2)
	r := results.Record{Schema: results.SchemaVersion, Experiment: "large", Dataset: "poly2", Kernel: "series", Method: method, Sizes: sizes.Sizes{N: n, M: m},
		Point: map[string]float64{"n": float64(n), "theta": theta, "m": float64(m)}, Work: fmt.Sprintf("{%d %d %g}", n, m, theta),
		Repeat: repeat, Seed: 7, Status: results.OK, Version: "1", BLAS: "OpenBLAS 0.3.21, SkylakeX",
		Metrics: results.NewMetrics(map[string]results.Metric{
			"recon_h":       {Value: floor * level * (1 + 0.1*reporttest.Noise(n+m+31*repeat))},
			"recon_h_floor": {Value: floor},
			"rank":          {Value: float64(m)},
			"time_total":    {Value: 1e-3 * float64(n+m) * (1 + 0.1*reporttest.Noise(repeat)), Unit: "s"},
		})}
	if repeat%50 == 0 {
		r.Warnings = []string{fmt.Sprintf("numerical rank is %d of m = %d", m-1, m)}
	}
	return r
}

// largeSpec has claims and plots of all records, and of a part. Its grid is not that
// of the run, which was never computed.
const largeSpec = `
name: large
title: A large run
seed: 7
repeats: 100
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [100, 200], theta: [0.5, 0.6], m: [10, 20]}
methods:
  - {id: kpca, use: kpca}
  - {id: ekpca, use: ekpca}
  - {id: nystrom, use: nystrom, landmarks: uniform}
  - {id: few, use: nystrom, landmarks: uniform}
  - {id: rff, use: rff}
measure: [recon_h]
claims:
  - {id: rate, slope: {of: recon_h, over: n, where: {m: 100}, by: [theta], equals: -theta/2, within: 0.08}}
  - {id: as-good, ratio: {of: recon_h, method: nystrom, to: ekpca, at_most: 1.2}}
  - {id: above-floor, value: {of: recon_h / recon_h_floor, at_least: 0.5}}
plots:
  - {id: rates, kind: line, x: n, y: recon_h, facet: theta, where: {m: 100}, floor: recon_h_floor, band: t, axes: {x: log, y: log}}
  - {id: methods, kind: pareto, x: time_total, y: recon_h, facet: theta, band: none, axes: {x: log, y: log}}
budgets:
  - {id: time, of: recon_h, cost: time_total}
`

func specOfLarge(tb testing.TB) *configs.Spec {
	tb.Helper()
	spec, err := configs.Parse("large", []byte(largeSpec))
	if err != nil {
		tb.Fatal(err)
	}
	return spec
}

// reportLarge does what `mercer report` does.
func reportLarge(tb testing.TB, dir string) Files {
	tb.Helper()
	run, err := results.Load(dir)
	if err != nil {
		tb.Fatal(err)
	}
	spec := specOfLarge(tb)
	var budgets []budget.Comparison
	var comparing errgroup.Group
	comparing.Go(func() (err error) {
		budgets, err = budget.Compare(spec.Budgets, run)
		return err
	})
	verdicts, err := claims.Judge(spec.Claims, run, claims.Context{})
	if err != nil {
		tb.Fatal(err)
	}
	if err := comparing.Wait(); err != nil {
		tb.Fatal(err)
	}
	files, err := Write(filepath.Join(dir, "report"), run, verdicts, spec.Plots, budgets...)
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

var (
	largeRecords = flag.Int("records", 100_000, "records of the large run that is reported on, a multiple of 10,000")
	largeKept    = flag.String("kept", "", "directory that keeps the large run, for mercer report")
)

// A report takes no more memory than 400 MB and 1100 bytes a record, so that one
// over a million records stays below 1.5 GB: go test -tags system -run LargeReport -records
// 1000000.
func TestLargeReport(t *testing.T) {
	most := 400 + 1100e-6*float64(*largeRecords) // MB
	dir := largeRun(t, *largeRecords/10000)
	forgetPeak()
	files := reportLarge(t, dir)
	peak := peakMemory()
	t.Logf("%.0f MB for %d records", peak, *largeRecords)
	if peak > most {
		t.Errorf("%.0f MB for %d records; at most %.0f are meant", peak, *largeRecords, most)
	}
	page, err := os.Stat(files.Page)
	if err != nil || page.Size() > 40e6 {
		t.Errorf("the page has %d bytes (%v): it should show a part of so large a run", page.Size(), err)
	}
	summary, err := os.ReadFile(filepath.Join(dir, "report", format.SummaryTable))
	if lines := strings.Count(string(summary), "\n"); err != nil || lines != 1+4*10000 {
		t.Errorf("%d lines of the summary (%v); want a cell of each metric", lines, err)
	}
}

// What a report computes grows with its records no more than in proportion: five
// times as many, repeats or cells, take at most six times the allocations. So does
// the processor time, which on a busy machine may be off by a quarter more.
func TestGrowth(t *testing.T) {
	for name, more := range map[string][2]int{"repeats": {10, 2000}, "cells": {2, 10000}} {
		growth, again := 0.0, 3 // measured again where others on the machine may have been in the way
		for growth = growthTo(t, name, more); growth > 6 && again > 0; again-- {
			growth = growthTo(t, name, more)
		}
		if growth > 6 {
			t.Errorf("five times the %s take %.2f times as much", name, growth)
		}
	}
}

// growthTo is how many times as much a report over so many repeats and cells takes
// as one over 2 and 2000: of bytes, objects or time, whatever grows most.
func growthTo(t *testing.T, name string, more [2]int) float64 {
	few, many := growthOf(t, 2, 2000), growthOf(t, more[0], more[1])
	t.Logf("five times the %s: %.2f times the bytes, %.2f the objects, %.2f the time", name, many.bytes/few.bytes, many.objects/few.objects, many.seconds/few.seconds)
	return max(many.bytes/few.bytes, many.objects/few.objects, many.seconds/few.seconds/1.25)
}

// spending is what a report took: of memory all that was allocated.
type spending struct{ bytes, objects, seconds float64 }

// growthOf reads, judges and writes a large run with so many cells, up to 10,000,
// each with so many repeats, but for the files of figures, whose cost is that of their area.
func growthOf(t *testing.T, repeats, cells int) spending {
	dir := largeRun(t, repeats)
	kept, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	share := 10000 / cells
	kept.Records = slices.DeleteFunc(kept.Records, func(r results.Record) bool { return r.M > 200/share })
	rewrite(t, dir, kept)
	kept = results.Run{}
	least := spending{math.Inf(1), math.Inf(1), math.Inf(1)}
	for range 2 { // the lesser time is less disturbed
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := processorTime()
		run, err := results.Load(dir)
		if err != nil || len(run.Records) != repeats*cells {
			t.Fatalf("%d records, %v", len(run.Records), err)
		}
		spec := specOfLarge(t)
		verdicts, err := claims.Judge(spec.Claims, run, claims.Context{})
		if err != nil {
			t.Fatal(err)
		}
		budgets, err := budget.Compare(spec.Budgets, run)
		if err != nil {
			t.Fatal(err)
		}
		taken := map[string]bool{}
		claimed, figures := sections.Claims(verdicts, taken), figure.OfPlots(run, spec.Plots, taken)
		sections.SummaryCSV(run)
		p := sections.Report(run, verdicts, claimed, figures, budgets)
		p.Markdown()
		runtime.ReadMemStats(&after)
		least.bytes = min(least.bytes, float64(after.TotalAlloc-before.TotalAlloc))
		least.objects = min(least.objects, float64(after.Mallocs-before.Mallocs))
		least.seconds = min(least.seconds, processorTime()-start)
	}
	return least
}

// rewrite writes a run's records again, with the manifest that they need.
func rewrite(t *testing.T, dir string, run results.Run) {
	t.Helper()
	var text []byte
	run.Manifest.Keys = nil
	for _, r := range run.Records {
		line, err := results.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		text = append(append(text, line...), '\n')
		run.Manifest.Keys = append(run.Manifest.Keys, r.Key)
	}
	run.Manifest.Cells = len(run.Manifest.Keys)
	if err := os.WriteFile(filepath.Join(dir, results.RecordsFile), text, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := results.WriteManifest(dir, run.Manifest); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkReport is a report over 1,000,000 records: records=1000000 with
// -bench Report -benchtime 1x.
func BenchmarkReport(b *testing.B) {
	for _, repeats := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("records=%d", 10000*repeats), func(b *testing.B) {
			dir := largeRun(b, repeats)
			forgetPeak()
			b.ResetTimer()
			for b.Loop() {
				reportLarge(b, dir)
			}
			b.ReportMetric(peakMemory(), "peak-MB")
		})
	}
}

// forgetPeak gives memory back to the system and starts its peak anew.
func forgetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // where the system lets us
}

// peakMemory is the most that this process has had in memory, in MB, where the
// system tells.
func peakMemory() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return math.NaN()
	}
	for line := range strings.Lines(string(text)) {
		var kib float64
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kib); n == 1 {
			return kib * 1024 / 1e6
		}
	}
	return math.NaN()
}
