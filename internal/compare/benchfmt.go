package compare

import (
	"fmt"
	"io"
	"math"
	"strings"

	"mercer/internal/plain"
	"mercer/results"
)

// WriteBenchfmt writes the rows of both sides in Go's benchmark format, a line a
// row, so that benchstat -col side compares them: cells are sub-benchmarks,
// repeats are repetitions, metrics are units. Times are in ns/op, other metrics
// have their names for units, with unit metadata that says which values are better.
// Processor and BLAS are named where they are the same on both sides; else benchstat
// would put the sides into different tables.
//
// Reference: https://golang.org/design/14313-benchmark-format
func WriteBenchfmt(w io.Writer, pairs []Pair) error {
	var b strings.Builder
	described := map[string]bool{}
	for _, p := range pairs {
		for i, s := range []Side{p.Base, p.New} {
			writeConfig(&b, p, s, []string{"base", "new"}[i])
			for i := range s.Rows {
				if r := &s.Rows[i]; r.Status == results.OK && len(r.Metrics) > 0 {
					writeBenchmark(&b, r, s.Catalog.Metrics, described)
				}
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeConfig(b *strings.Builder, p Pair, s Side, side string) {
	m := s.Manifest
	config := [][2]string{{"pkg", "mercer/" + s.Spec.Name}, {"profile", m.Profile}, {"side", side}}
	shared := func(name string, of func(results.Manifest) string) {
		if v := of(p.Base.Manifest); v == of(p.New.Manifest) {
			config = append(config, [2]string{name, v})
		} else {
			config = append(config, [2]string{name, ""})
		}
	}
	shared("goos", func(m results.Manifest) string { return m.Machine.OS })
	shared("goarch", func(m results.Manifest) string { return m.Machine.Arch })
	shared("cpu", func(m results.Manifest) string { return m.Machine.CPU })
	shared("blas", func(m results.Manifest) string { return m.Versions["blas"] })
	for _, c := range config {
		fmt.Fprintf(b, "%s: %s\n", c[0], c[1])
	}
	b.WriteString("\n")
}

func writeBenchmark(b *strings.Builder, r *results.Row, metrics map[string]results.MetricInfo, described map[string]bool) {
	var units strings.Builder
	for name, value := range r.Metrics.All() {
		unit := word(name)
		switch metrics[name].Unit {
		case unitSeconds:
			value = math.Round(value*1e12) / 1e3 // whole picoseconds: no clock sees less
			unit = strings.TrimPrefix(unit, "time_") + "-ns"
			if name == "time_total" {
				unit = "ns/op"
			}
		case unitBytes:
			unit += "-bytes"
		}
		fmt.Fprintf(&units, " %s %s", plain.Number(value), unit)
		if better := metrics[name].Better; better != "" && !described[unit] {
			fmt.Fprintf(b, "Unit %s better=%s\n", unit, map[string]string{"less": "lower", "more": "higher"}[better])
		}
		described[unit] = true
	}
	fmt.Fprintf(b, "%s 1%s\n", benchmark(r), units.String())
}

// benchmark is a cell's name, BenchmarkFit/data=poly2/kernel=series/method=nystrom/n=500/…-1.
// The end stands for one processor; without it, benchstat would take that of theta=1e-5 for it.
func benchmark(r *results.Row) string {
	list := []string{"BenchmarkFit"}
	for name, v := range r.At.All() {
		if name == "dataset" {
			name = "data"
		}
		if v.String() != "" {
			list = append(list, word(name+"="+v.String()))
		}
	}
	return strings.Join(list, "/") + "-1"
}

// word keeps what would end a field or a part of a name out of it.
func word(text string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == '/' || r == 0x7f {
			return '_'
		}
		return r
	}, text)
}
