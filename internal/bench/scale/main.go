// Scale prints what runs of a million cells, and of samples of 10^9 points, would
// cost on 1, 10 and 1,000 nodes: measured rates, and a simulation of the scheduler
// with stragglers, lost nodes, time limits, starts and Slurm's limits on jobs. The
// table is that of docs/scale.md.
//
//	go run ./internal/bench/scale
package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
)

// Measured rates, in seconds of one processor; docs/scale.md says how.
const (
	planRecord   = 17e-6 // making the plan, a record; each start of a shard makes its own
	planOther    = 1e-6  // counting those of other shards, at most
	harness      = 1.7e-4
	mergeRecord  = 25e-6
	reportRecord = 9e-6
	samples      = 60000 / 4.6 // points a second of Nystroem(1000) on 784 dimensions
	startProcess = 1.0         // hashing the binary, opening data
)

// coresPerNode is assumed.
const coresPerNode = 32

// maxJobs is Slurm's default for MaxJobCount: a larger array is refused.
const maxJobs = 10000

// assumed is a cluster of nodes that fail once in 100 days, two in a hundred of them
// three times as slow.
func assumed(nodes int) cluster {
	return cluster{
		nodes: nodes, cores: coresPerNode, slowNodes: 0.02, slowdown: 3, lifetime: 100 * 86400, absence: 3600,
		detection: 300, requeue: 120, startRate: 10, estimation: 0.3,
	}
}

// load is a run whose cost is asked for.
type load struct {
	name    string
	records float64
	cell    float64 // core-seconds of a record beside the harness
	units   int     // what can be cut apart; 0 for every record
}

func loads() []load {
	return []load{
		{"10⁶ cells of 5 ms", 1e6, 0.005, 0},
		{"10⁶ cells of 1 s", 1e6, 1, 0},
		{"10⁶ cells of 1 min", 1e6, 60, 0},
		{"120 fits of 10⁹ points", 120, 1e9 / samples, 120},
	}
}

// job cuts a load: ten minutes a shard as by default, but four shards a core where
// that is more, so that stragglers even out, and no more than Slurm takes.
func (l load) job(nodes int) job {
	work := l.records * (l.cell + harness)
	start, plan := startProcess+planOther*l.records, planRecord*l.records // the latter is shared out
	shards := math.Ceil(work / 600)
	if each := 4 * float64(nodes*coresPerNode); shards < each {
		shards = math.Min(each, math.Ceil((work-10*plan)/(10*start))) // a start may take a tenth
	}
	shards = math.Max(1, math.Min(shards, maxJobs))
	if l.units > 0 {
		shards = math.Min(shards, float64(l.units))
	}
	return job{work: work, shards: int(shards), start: start + plan/shards, limit: 1800 + 4*work/shards, cell: l.cell}
}

// runs is how often each line is simulated.
const runs = 21

func main() { table(os.Stdout) }

func table(w io.Writer) {
	fmt.Fprintln(w, "| run | nodes | shards | work alone | simulated, median and range | of the cores' time used | starts | starting costs | merge and report |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, l := range loads() {
		for _, nodes := range []int{1, 10, 1000} {
			j := l.job(nodes)
			var spans, starts, starting []float64
			for seed := range uint64(runs) {
				o := simulate(assumed(nodes), j, rand.New(rand.NewPCG(seed, uint64(nodes))))
				spans, starts, starting = append(spans, o.makespan), append(starts, float64(o.starts)), append(starting, o.starting)
			}
			slices.Sort(spans)
			cores := float64(nodes * coresPerNode)
			fmt.Fprintf(w, "| %s | %d | %d | %s | %s, %s to %s | %s %% | %.0f | %s of a core | %s |\n", l.name, nodes, j.shards, span(j.work/cores),
				span(spans[runs/2]), span(spans[0]), span(spans[runs-1]), percent(j.work/cores/spans[runs/2]), median(starts), span(median(starting)),
				span(l.records*(mergeRecord+reportRecord)+1))
		}
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// span is a time in two digits.
func span(seconds float64) string {
	for _, u := range []struct {
		name    string
		seconds float64
	}{{"d", 86400}, {"h", 3600}, {"min", 60}} {
		if seconds >= 2*u.seconds {
			return digits(seconds/u.seconds) + " " + u.name
		}
	}
	return digits(seconds) + " s"
}

// percent is a share in two digits, or three for all.
func percent(share float64) string {
	if share >= 0.1 {
		return fmt.Sprintf("%.0f", 100*share)
	}
	return fmt.Sprintf("%.2g", 100*share)
}

func digits(v float64) string {
	if v >= 10 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.1f", v)
}
