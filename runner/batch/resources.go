package batch

import (
	"cmp"
	"math"
	"time"

	"mercer/internal/misuse"
	"mercer/runner/plan"
)

const (
	// shardSeconds is the time of a shard by default: long against its start, short
	// against a time limit and against what a lost node costs.
	shardSeconds = 600
	// processMemory is what a process takes beside its groups, in bytes.
	processMemory = 1 << 30
	// memoryMargin is what a group may take, in multiples of its arrays: the rest is
	// garbage and buffers.
	memoryMargin = 1.5
	// leastTime is the time limit of the smallest shard.
	leastTime = 30 * time.Minute
	// timeMargin is by how much an estimate of time may be wrong.
	timeMargin = 4
	// leastWarning is how long before the limit a shard is warned.
	leastWarning = time.Minute
)

// Resources are what each shard gets: what the settings say, else what the plan
// needs.
type Resources struct {
	CPUs      int
	Memory    int64 // bytes, in whole MiB unless given; 0 for all of a node
	Time      time.Duration
	Warning   time.Duration // before the time limit
	Exclusive bool          // the shard has its node to itself, because times are measured
}

// allot fills in what the settings of a frozen plan's shards leave open.
func allot(offer Offer, settings Settings, f *plan.Frozen, p *plan.Plan) (Resources, error) {
	r := Resources{CPUs: settings.CPUs, Memory: offer.Memory, Exclusive: p.Timed}
	if r.CPUs == 0 {
		r.CPUs = 1
		if p.Timed {
			r.CPUs = max(1, p.Timing.Threads)
		}
	}
	r.Time, r.Warning = timeLimit(offer.Time, f.Shards)
	var largest int64
	for _, shard := range f.Shards {
		largest = max(largest, shard.Bytes)
	}
	if settings.Mem == "" {
		need := processMemory + float64(f.Workers)*(memoryMargin*float64(largest)+float64(p.SharedBytes))
		r.Memory = int64(math.Ceil(need/(1<<20))) << 20
	}
	f.Memory = r.Memory
	if f.Memory > 0 && largest+p.SharedBytes+processMemory/2 > f.Memory {
		return r, misuse.Errorf("--mem %s: a group of this plan needs about %.3g GiB, and mercer itself half a GiB; give more, or take smaller n, m or population",
			settings.Mem, float64(largest+p.SharedBytes)/(1<<30))
	}
	return r, nil
}

// workers are the groups that a shard computes side by side.
func workers(s Settings, p *plan.Plan) int {
	if p.Timed {
		return 1
	}
	return max(1, s.CPUs)
}

// timeLimit is the time limit of a shard, the given one if any, and how long before it the shard is
// warned: enough to finish the longest fit, and at most half of the limit.
func timeLimit(given time.Duration, shards []plan.Shard) (limit, warning time.Duration) {
	var seconds, longest float64
	for _, s := range shards {
		seconds, longest = math.Max(seconds, s.Seconds), math.Max(longest, s.Longest)
	}
	limit = cmp.Or(given, leastTime+time.Duration(timeMargin*seconds*float64(time.Second)))
	warning = max(leastWarning, time.Duration(timeMargin*longest*float64(time.Second)))
	return limit, min(warning, limit/2).Truncate(time.Second)
}
