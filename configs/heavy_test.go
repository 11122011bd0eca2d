//go:build system

package configs_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"mercer/configs/source"
)

// heavySpecs are files near the limit of size that are made to cost much.
func heavySpecs() map[string]string {
	repeat := func(format string, count int) string {
		var b strings.Builder
		for i := range count {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	head := "name: h\nseed: 1\nrepeats: 1\nmeasure: [e]\n"
	part := "datasets: [{id: a, use: b}]\nmethods: [{id: c, use: d}]\n"
	return map[string]string{
		"open brackets":       strings.Repeat("[", source.MaxBytes),
		"open braces":         strings.Repeat("{a: ", source.MaxBytes/4),
		"closed brackets":     strings.Repeat("[", source.MaxBytes/2) + strings.Repeat("]", source.MaxBytes/2),
		"nested block lists":  strings.Repeat("- ", source.MaxBytes/2),
		"nested complex keys": strings.Repeat("? ", source.MaxBytes/2),
		"unknown keys":        repeat("key%d: 1\n", 70_000),
		"duplicate keys":      strings.Repeat("a: 1\n", 200_000),
		"list entries":        strings.Repeat("- x\n", 250_000),
		"long key":            strings.Repeat("k", source.MaxBytes-10) + ": 1",
		"long text":           "name: \"" + strings.Repeat("é", source.MaxBytes/2-10) + "\"",
		"comments":            strings.Repeat("# c\n", source.MaxBytes/4),
		"anchors":             "x:\n" + repeat("- &a%d {b: 1}\n", 60_000),
		"aliases of a list":   "x: &x [" + strings.Repeat("1, ", 1000) + "1]\ny: [" + strings.Repeat("*x, ", 100_000) + "*x]\n",
		"many variables":      head + part + "grid:\n" + repeat("  v%d: \"n + 1\"\n", 40_000),
		"many values":         head + part + "grid: {n: [" + strings.Repeat("\"n1+1\", ", 9_000) + "1], n1: 3}\n",
		"wide grid":           head + part + "grid:\n" + repeat("  v%d: [1, 2, 3]\n", 64),
		"methods, wrong claims": head + "datasets: [{id: a, use: b}]\ngrid: {n: 5}\nmethods:\n" + repeat("- {id: method%d, use: b}\n", 1000) +
			"claims:\n" + repeat("- {id: c%d, value: {of: x, at_most: 1, where: {method: ["+strings.Repeat("methd1, ", 90)+"q]}}}\n", 800),
		"long expressions": head + part + "grid:\n  n: [" + strings.Repeat("\""+strings.Repeat("1+", 99)+"1\", ", 4000) + "1]\n",
		"many signs":       head + part + "grid:\n  n: [" + strings.Repeat("\""+strings.Repeat("-", 490)+"1\", ", 2000) + "1]\n",
		"tabs":             strings.Repeat("\t", source.MaxBytes),
		"quotes":           strings.Repeat("'", source.MaxBytes),
		"colons":           strings.Repeat("a:\n ", source.MaxBytes/4),
	}
}

// No file may take long or much memory. The limits are generous, some twenty
// times what is measured on two slow cores, so that only a change in the order
// of growth breaks them.
func TestHeavySpecs(t *testing.T) {
	for name, text := range heavySpecs() {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			s, err := source.Parse("h.yaml", []byte(text))
			length := 0
			if err != nil {
				length = len(err.Error())
			} else {
				_, err = s.Grid.Points(nil)
			}
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			allocated := (after.TotalAlloc - before.TotalAlloc) >> 20
			t.Logf("%v, %d MiB allocated, %d bytes of error", took, allocated, length)
			if took > 60*time.Second || allocated > 4000 || length > 100_000 {
				t.Errorf("%d bytes of spec took %v, %d MiB and %d bytes of error", len(text), took, allocated, length)
			}
			if honest := name == "many values" || name == "long expressions" || name == "many signs"; (err == nil) != honest {
				t.Errorf("honest: %v, error: %v", honest, err)
			}
		})
	}
}
