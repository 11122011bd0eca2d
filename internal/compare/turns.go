package compare

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"mercer/internal/lists"
	"mercer/internal/ranks"
	"mercer/results"
)

// Block is four runs of the same records by two programs in turns: base, new, new, base,
// or the other way round, so that a machine that steadily becomes slower, or faster,
// favours neither.
type Block [4]Turn

// Turn is one run of one side in a block.
type Turn struct {
	New bool
	results.Run
}

// DrawBlock draws by a fair coin which of the four turns of a block are the new side's.
// If the two programs take the same time, the coin alone decides the sign of the block's
// log ratio, whatever else the machine does.
func DrawBlock(rng *rand.Rand) [4]bool {
	if first := rng.IntN(2) == 1; first {
		return [4]bool{true, false, false, true}
	}
	return [4]bool{false, true, true, false}
}

// Turns are the times of two programs that ran in turns.
type Turns struct {
	Order []string     `json:"order"` // of the sides in each block: "ABBA" where the base was first, "BAAB"
	Cells []PairedTime `json:"cells"`
}

// PairedTime is what turns show of the time of one cell. The interval is of the signed
// ranks (Walsh averages), and those of all cells hold together with probability
// Confidence, if the new program takes a fixed multiple of the base's time in the same
// turn. No law of the times is assumed, nor that they are independent: the coins of the
// blocks are.
//
// Reference: Hodges & Lehmann, Estimates of location based on rank tests, Ann. Math.
// Statist. 34 (1963); Lehmann, Nonparametrics (1975), ch 4.
type PairedTime struct {
	Cell    Cell      `json:"cell"`
	Metric  string    `json:"metric"`
	Base    float64   `json:"base"` // geometric means, in seconds
	New     float64   `json:"new"`
	Ratios  []float64 `json:"ratios"` // new/base, one a block whose four turns have a time, the median over the turn's repeats
	Ratio   float64   `json:"ratio"`  // Hodges–Lehmann estimate
	Low     float64   `json:"low,omitempty"`
	High    float64   `json:"high,omitempty"` // 0 where there are too few blocks for an interval
	P       float64   `json:"p"`              // of the same time, in either direction, times the number of cells
	Verdict Pace      `json:"verdict"`
}

// Pace is what an interval of ratios says of a change by a factor of Slower.
type Pace string

// Paces.
const (
	PaceSlower    Pace = "slower"     // by more than the factor
	PaceFaster    Pace = "faster"     // by more than the factor
	PaceSame      Pace = "no change"  // by more than the factor, in either direction
	PaceNotSlower Pace = "not slower" // by more than the factor; it may be faster
	PaceOpen      Pace = "undecided"
)

func paceOf(low, high, slower float64) Pace {
	switch {
	case high == 0:
		return PaceOpen
	case low > slower:
		return PaceSlower
	case high < 1/slower:
		return PaceFaster
	case high <= slower && low >= 1/slower:
		return PaceSame
	case high <= slower:
		return PaceNotSlower
	}
	return PaceOpen
}

// RoundsFor is the number of blocks with which intervals of so many cells can exist.
func RoundsFor(cells int, confidence float64) int {
	return ranks.RepeatsFor(true, levelOf(cells, confidence))
}

// levelOf is what either end of each of several intervals may miss by, by chance.
func levelOf(cells int, confidence float64) float64 {
	return (1 - confidence) / 2 / float64(max(1, cells))
}

// seconds is the time of a record: the wall time of its fit where it is measured, else
// the processor time of its process.
func seconds(r *results.Record) (value float64, metric string) {
	if r.Status != results.OK {
		return 0, ""
	}
	if m, ok := r.Metrics.Get("time_total"); ok {
		return m.Value, "time_total"
	}
	if r.Usage != nil {
		return r.Usage.CPU, "cpu"
	}
	return 0, ""
}

// TimedCells counts the cells that have a time in both runs.
func TimedCells(base, new results.Run) int {
	return len(pairTimes([]Block{{{Run: base}, {New: true, Run: new}, {New: true, Run: new}, {Run: base}}}))
}

// OnlyCells are blocks with the records of some cells alone.
func OnlyCells(blocks []Block, cells []Cell) []Block {
	kept := slices.Clone(blocks)
	for i := range kept {
		for j := range kept[i] {
			turn := &kept[i][j]
			turn.Records = slices.DeleteFunc(slices.Clone(turn.Records), func(r results.Record) bool {
				return !slices.ContainsFunc(cells, func(c Cell) bool { return c.same(cellOf(r)) })
			})
		}
	}
	return kept
}

// same compares cells but for the sizes after a method's own overrides.
func (c Cell) same(d Cell) bool {
	return c.Dataset == d.Dataset && c.Kernel == d.Kernel && c.Method == d.Method && maps.Equal(c.Point, d.Point)
}

// pairTimes finds the cells that have a time in all turns of a block, and their ratios.
func pairTimes(blocks []Block) []PairedTime {
	var cells []PairedTime
	index := map[results.Cell]int{}
	for _, b := range blocks {
		logs := map[bool]map[timedCell][]float64{false: {}, true: {}} // by side: one a turn
		for _, turn := range b {
			for id, value := range turn.logs() {
				logs[turn.New][id] = append(logs[turn.New][id], value)
			}
		}
		for i := range b[0].Records {
			r := &b[0].Records[i]
			_, metric := seconds(r)
			id := timedCell{unsized(r), metric}
			base, new := logs[false][id], logs[true][id]
			delete(logs[false], id) // which its other repeats are not to find
			if len(base) != 2 || len(new) != 2 {
				continue
			}
			at, known := index[id.Cell]
			if !known {
				at = len(cells)
				index[id.Cell], cells = at, append(cells, PairedTime{Cell: cellOf(*r), Metric: metric})
			}
			if cells[at].Metric == metric {
				cells[at].add(stat.Mean(base, nil), stat.Mean(new, nil))
			}
		}
	}
	return cells
}

// timedCell is a cell and what its time is called.
type timedCell struct {
	results.Cell
	metric string
}

// logs are the log times of the cells of a turn, each the median over its repeats.
func (t Turn) logs() map[timedCell]float64 {
	all := map[timedCell][]float64{}
	for i := range t.Records {
		r := &t.Records[i]
		if value, metric := seconds(r); value > 0 {
			id := timedCell{unsized(r), metric}
			all[id] = append(all[id], math.Log(value))
		}
	}
	medians := map[timedCell]float64{}
	for id, values := range all {
		medians[id] = results.Median(values)
	}
	return medians
}

// add adds the log times of a block. Base and New are means of logarithms until all
// blocks are added.
func (t *PairedTime) add(base, new float64) {
	t.Ratios = append(t.Ratios, math.Exp(new-base))
	n := float64(len(t.Ratios))
	t.Base += (base - t.Base) / n
	t.New += (new - t.New) / n
}

// timeTurns compares the times of each cell over blocks.
func timeTurns(blocks []Block, o Thresholds) Turns {
	t := Turns{Order: []string{}, Cells: pairTimes(blocks)}
	for _, b := range blocks {
		t.Order = append(t.Order, map[bool]string{false: "ABBA", true: "BAAB"}[b[0].New])
	}
	for i := range t.Cells {
		c := &t.Cells[i]
		c.Base, c.New = math.Exp(c.Base), math.Exp(c.New)
		logs := lists.Map(c.Ratios, math.Log)
		averages := walshAverages(logs)
		low, middle, high, ok := walshInterval(averages, len(logs), levelOf(len(t.Cells), o.Confidence))
		c.Ratio, c.P = math.Exp(middle), min(1, 2*float64(len(t.Cells))*walshP(averages, len(logs)))
		if ok {
			c.Low, c.High = math.Exp(low), math.Exp(high)
		}
		c.Verdict = paceOf(c.Low, c.High, o.Slower)
	}
	return t
}

// walshAverages are the means of all pairs of values, of each with itself as well, sorted.
func walshAverages(x []float64) []float64 {
	var averages []float64
	for i := range x {
		for j := range i + 1 {
			averages = append(averages, (x[i]+x[j])/2)
		}
	}
	slices.Sort(averages)
	return averages
}

// walshInterval is the interval of centres of symmetry of n values that the signed-rank
// test does not reject, at a level on either side, and the median of their Walsh
// averages; not ok where there are too few values for any such test to reject.
func walshInterval(averages []float64, n int, level float64) (low, middle, high float64, ok bool) {
	middle = (averages[(len(averages)-1)/2] + averages[len(averages)/2]) / 2
	below, sum := 0, 0.0 // values of the signed-rank sum that are together as rare as the level
	for _, p := range signedRankLaw(n) {
		if sum += p; sum > level {
			break
		}
		below++
	}
	if below == 0 {
		return 0, middle, 0, false
	}
	return averages[below-1], middle, averages[len(averages)-below], true
}

// walshP is the p of the centre 0 on the side where it is smaller. It is at most the
// level where 0 is outside of the interval of that level, and only there.
func walshP(averages []float64, n int) (p float64) {
	negative, _ := slices.BinarySearch(averages, 0)
	most, _ := slices.BinarySearch(averages, math.SmallestNonzeroFloat64) // those of at most 0
	for _, q := range signedRankLaw(n)[:min(most, len(averages)-negative)+1] {
		p += q
	}
	return p
}

// signedRankLaw is the law of the signed-rank sum of n values without ties: of the sum of
// those of 1 … n whose coin shows heads.
func signedRankLaw(n int) []float64 {
	law := make([]float64, n*(n+1)/2+1)
	law[0] = 1
	for rank := range n + 1 {
		for s := rank * (rank + 1) / 2; rank > 0 && s >= 0; s-- {
			law[s] /= 2
			if s >= rank {
				law[s] += law[s-rank] / 2
			}
		}
	}
	return law
}
