//go:build system

package report

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/internal/claims"
	"mercer/report/format"
	"mercer/report/reporttest"
	"mercer/results"
)

// largeRun writes a run of 5 methods, 20 n, 20 m and 5 theta with so many repeats
// of each of these 10,000 cells.
func largeRun(t *testing.T, repeats int) string {
	t.Helper()
	dir := t.TempDir()
	spec, err := source.Parse("large", []byte(largeSpec))
	if err != nil {
		t.Fatal(err)
	}
	run := reporttest.RunOf([]string{"n", "theta", "m"})
	reporttest.Use(&run, "kpca", "ekpca", "nystrom", "few nystrom", "rff")
	run.Catalog.Populations = map[string]results.Population{"p": {Dataset: "poly2", Describe: "series", Constants: map[string]float64{"alpha": 2}}}
	m := results.Manifest{Schema: results.SchemaVersion, Profile: "paper", Repeats: repeats}
	text, err := results.WriteSpec(dir, spec, run.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	m.Describe(text)

	file, err := os.Create(filepath.Join(dir, results.RecordsFile))
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriterSize(file, 1<<20)
	for repeat := range repeats { // as a run ends them, not in canonical order
		for _, method := range []string{"rff", "nystrom", "kpca", "few", "ekpca"} {
			for cell := range 2000 {
				r := largeRow(method, 100*(cell%20+1), 0.5+0.1*float64(cell/20%5), 10*(cell/100+1), repeat)
				r.ID = fmt.Sprintf("%032x", len(m.IDs))
				m.IDs = append(m.IDs, r.ID)
				line, err := results.Encode(r)
				if err != nil {
					t.Fatal(err)
				}
				out.Write(append(line, '\n'))
			}
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := results.WriteManifest(dir, m); err != nil {
		t.Fatal(err)
	}
	return dir
}

func largeRow(method string, n int, theta float64, m, repeat int) results.Row {
	level := map[string]float64{"ekpca": 1, "few": 2, "kpca": 0.9, "nystrom": 1.05, "rff": 1.1}[method]
	floor := math.Pow(float64(n), -theta/2)
	r := results.Row{Schema: results.SchemaVersion, Population: "p",
		At: results.NewKey([]string{"dataset", "kernel", "method", "n", "theta", "m"}, []results.Value{configs.TextOf("poly2"), configs.TextOf("series"), configs.TextOf(method),
			configs.NumberOf(float64(n)), configs.NumberOf(theta), configs.NumberOf(float64(m))}),
		Repeat: repeat, Status: results.OK, Version: "1", BLAS: "OpenBLAS 0.3.21, SkylakeX",
		Metrics: map[string]float64{
			"recon_h":       floor * level * (1 + 0.1*reporttest.Noise(n+m+31*repeat)),
			"recon_h_floor": floor,
			"rank":          float64(m),
			"time_total":    1e-3 * float64(n+m) * (1 + 0.1*reporttest.Noise(repeat)),
		}}
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
  - {id: rates, kind: line, x: n, y: recon_h, where: {m: 100}, floor: recon_h_floor, axes: {x: log, y: log}}
  - {id: methods, x: time_total, y: recon_h, axes: {x: log, y: log}}
budgets:
  - {id: time, of: recon_h, cost: time_total}
`

// reportLarge does what `mercer report` does.
func reportLarge(t *testing.T, dir string) Files {
	t.Helper()
	run, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	spec := run.Spec
	verdicts, err := claims.Judge(spec.Claims, run, claims.Context{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := Write(filepath.Join(dir, "report"), run, verdicts, spec.Plots, nil)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var largeRecords = flag.Int("records", 100_000, "records of the large run that is reported on, a multiple of 10,000")

// A report over a million records takes at most 30 s of an idle machine with two cores,
// and 1.5 GB: go test -tags system -run LargeReport -records 1000000. Of fewer records
// the memory alone is checked.
func TestLargeReport(t *testing.T) {
	most := 400 + 1100e-6*float64(*largeRecords) // MB
	dir := largeRun(t, *largeRecords/10000)
	forgetPeak()
	start := time.Now()
	files := reportLarge(t, dir)
	took, peak := time.Since(start), peakMemory()
	t.Logf("%v and %.0f MB for %d records", took, peak, *largeRecords)
	if peak > most {
		t.Errorf("%.0f MB for %d records; at most %.0f are meant", peak, *largeRecords, most)
	}
	if *largeRecords >= 1_000_000 && took > 30*time.Second*time.Duration(*largeRecords/1_000_000) {
		t.Errorf("%v for %d records", took, *largeRecords)
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
