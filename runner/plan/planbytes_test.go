package plan

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// planBytes is what a plan may take in memory, in bytes a record.
const planBytes = 305

// TestPlanBytes: a plan takes at most planBytes a record, whether its records are
// repeats of one cell, cells of one repeat, or both, and whether cells share fits or
// not. It counts the bytes that live after a collection, which are the same at each
// try up to some 100 kB of the test's own: 3 bytes a record.
func TestPlanBytes(t *testing.T) {
	values := func(count int) string {
		list := make([]string, count)
		for i := range list {
			list[i] = fmt.Sprint(i + 1)
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	for name, test := range map[string]struct {
		repeats int
		grid    string
	}{
		"repeats of one cell":   {40_000, "{n: 20, m: 10, ell: 2}"},
		"cells and repeats":     {400, "{n: 20, m: " + values(10) + ", ell: " + values(10) + "}"},
		"cells of their own":    {2, "{n: '200+a', m: '100+b', ell: 5, a: " + values(200) + ", b: " + values(100) + "}"},
		"points of one repeat":  {1, "{n: '1000+a', m: " + values(200) + ", ell: '1', a: " + values(200) + "}"},
		"components of one fit": {1, "{n: 20, m: 10, ell: " + values(10) + ", a: " + values(40) + ", b: " + values(100) + "}"},
	} {
		text := fmt.Sprintf("name: many\nseed: 9\nrepeats: %d\ndatasets: [{id: poly2, use: series, decay: {power: 2}}]\n"+
			"grid: %s\nmethods: [{id: nystrom, use: nystrom}]\nmeasure: [recon_h]\n", test.repeats, test.grid)
		before := liveBytes()
		plan := planOf(t, text, "")
		taken, records := liveBytes()-before, plan.Records()
		if each := float64(taken) / float64(records); records != 40_000 || each > planBytes {
			t.Errorf("%s: %d records of %.0f bytes, want 40000 of at most %d", name, records, each, planBytes)
		} else {
			t.Logf("%s: %.0f bytes a record", name, each)
		}
		runtime.KeepAlive(plan)
	}
}

// liveBytes is the heap in use after a collection.
func liveBytes() int64 {
	runtime.GC()
	runtime.GC() // what finalizers of the first held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
