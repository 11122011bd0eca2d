package main

import (
	"container/heap"
	"math"
	"math/rand/v2"
)

// cluster is what a simulated run meets. Times are in seconds.
type cluster struct {
	nodes, cores int

	slowNodes  float64 // share of nodes that are slower
	slowdown   float64 // by this factor
	lifetime   float64 // mean time between losses of a node, exponential
	absence    float64 // until a lost node is back
	detection  float64 // until Slurm sees a loss
	requeue    float64 // that Slurm lets pass before a requeued task may start
	startRate  float64 // tasks that the controller starts in a second
	estimation float64 // standard deviation of log(time/estimate) of a shard
}

// job is a run cut into shards.
type job struct {
	work   float64 // core-seconds of all cells
	shards int
	start  float64 // core-seconds that each start of a shard takes: making its plan
	limit  float64 // time limit of a shard
	cell   float64 // longest cell: what a loss costs, and what a warning waits for
}

// outcome is what one simulated run came to.
type outcome struct {
	makespan float64
	starts   int     // of shards, the first included
	lost     float64 // core-seconds of fits that were begun again
	starting float64 // core-seconds of starts
}

// event is the end of a task's start, in one way or another, or the return of cores.
type event struct {
	time  float64
	shard int // -1: a core comes back
	node  int
	left  float64 // work of the shard that is left then
	lost  bool    // the node was lost
	done  bool
}

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].time < e[j].time }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	old := *e
	last := old[len(old)-1]
	*e = old[:len(old)-1]
	return last
}

// simulate runs a job on a cluster: first come, first served, a core a shard. A
// shard that meets its limit or loses its node goes on from its records: only the
// cell in hand is lost, and the start is paid again. Nodes are lost at rates that do
// not depend on their load; what else runs on a lost node is lost with it, drawn for
// each shard by itself, which for the mean of the work lost is the same.
func simulate(c cluster, j job, rng *rand.Rand) outcome {
	speed := make([]float64, c.nodes)
	for i := range speed {
		speed[i] = 1
		if rng.Float64() < c.slowNodes {
			speed[i] = 1 / c.slowdown
		}
	}
	left := make([]float64, j.shards) // of each shard; they add up to the work
	sum := 0.0
	for i := range left {
		left[i] = math.Exp(c.estimation * rng.NormFloat64())
		sum += left[i]
	}
	var free []int // cores, by node
	for node := range c.nodes {
		for range c.cores {
			free = append(free, node)
		}
	}
	rng.Shuffle(len(free), func(a, b int) { free[a], free[b] = free[b], free[a] })
	type waiting struct {
		shard int
		from  float64
	}
	var queue []waiting
	for i := range left {
		left[i] *= j.work / sum
		queue = append(queue, waiting{i, 0})
	}
	var ahead events
	var o outcome
	now, controller := 0.0, 0.0
	for undone := j.shards; undone > 0; {
		for len(queue) > 0 && len(free) > 0 && queue[0].from <= now {
			shard, node := queue[0].shard, free[0]
			queue, free = queue[1:], free[1:]
			controller = math.Max(controller, now) + 1/c.startRate
			o.starts++
			e, spent := c.run(j, shard, node, left[shard], controller, speed[node], rng)
			o.starting += spent.starting
			o.lost += spent.lost
			heap.Push(&ahead, e)
		}
		next := math.Inf(1)
		if len(ahead) > 0 {
			next = ahead[0].time
		}
		if len(queue) > 0 && len(free) > 0 && queue[0].from < next {
			now = queue[0].from
			continue
		}
		e := heap.Pop(&ahead).(event)
		now = e.time
		if e.shard < 0 {
			free = append(free, e.node)
			continue
		}
		left[e.shard] = e.left
		switch {
		case e.done:
			undone--
			o.makespan = now
			free = append(free, e.node)
		case e.lost:
			queue = append(queue, waiting{e.shard, now + c.detection + c.requeue})
			heap.Push(&ahead, event{time: now + c.absence, shard: -1, node: e.node})
		default:
			queue = append(queue, waiting{e.shard, now + c.requeue})
			free = append(free, e.node)
		}
	}
	return o
}

// run is one start of a shard on a core.
func (c cluster) run(j job, shard, node int, left, begin, speed float64, rng *rand.Rand) (event, outcome) {
	var spent outcome
	e := event{shard: shard, node: node}
	loss := rng.ExpFloat64() * c.lifetime
	needed := (j.start + left) / speed
	limit := math.Max(j.limit, (j.start+2*j.cell)/speed) // a limit below this never ends
	until := math.Min(math.Min(needed, limit), loss)
	e.time = begin + until
	spent.starting = math.Min(until*speed, j.start)
	worked := math.Max(0, until*speed-j.start)
	switch until {
	case needed:
		e.done = true
	case loss:
		e.lost = true
		spent.lost = math.Min(worked, j.cell*rng.Float64())
		e.left = left - worked + spent.lost
	default: // it was warned in time for the cell in hand
		e.left = left - worked
	}
	return e, spent
}
