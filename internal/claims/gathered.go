package claims

import (
	"mercer/configs"
	"mercer/results"
)

// Gathered is how far the records of one claim are in a run in progress. Cells and groups
// without any record are not known yet and not counted.
type Gathered struct {
	Claim      string
	Records    int
	Due        int // records of its cells with all repeats
	Cells      int
	Complete   int  // cells with all repeats
	Groups     int  // one verdict each
	OpenGroups int  // with a cell that lacks repeats
	Begun      bool // all cells of the run have records, so that none of the claim is missing here
}

// Open says that the claim lacks records, or may lack whole cells.
func (g Gathered) Open() bool { return !g.Begun || g.Complete < g.Cells }

// Gather counts the records that claims have so far. It reads no value and judges nothing,
// so it is no look at the verdicts. Looks are the numbers of repeats that a cell may end at,
// in ascending order: a cell is complete if it has as many as the least of them that a cell
// of its group has reached or is on the way to. Claims on targets are left out.
func Gather(list []configs.Claim, run results.Run, looks []int) ([]Gathered, error) {
	repeats := map[results.Key]int{}
	for _, r := range run.Present() {
		repeats[r.At]++
	}
	begun := allBegun(run, repeats, looks)
	var all []Gathered
	for _, c := range list {
		if c.OnTarget {
			continue
		}
		_, kind := c.Kind()
		groups, err := run.Groups(*kind.Picked(), c.Compared())
		if err != nil {
			return nil, err
		}
		g := Gathered{Claim: c.ID, Begun: begun}
		for _, group := range groups {
			g.add(results.Cells(group.Rows), repeats, looks)
		}
		all = append(all, g)
	}
	return all, nil
}

// allBegun says that no cell of the run is without a record: all repeats of the first look at
// those that have one are all records of the run, or a cell is beyond that look.
func allBegun(run results.Run, repeats map[results.Key]int, looks []int) bool {
	for _, count := range repeats {
		if count > looks[0] {
			return true
		}
	}
	return len(repeats)*looks[0] >= len(run.Rows)+run.Missing()
}

// add counts the cells of a group.
func (g *Gathered) add(cells []results.Group, repeats map[results.Key]int, looks []int) {
	most, complete := 0, 0
	for _, cell := range cells {
		most = max(most, repeats[cell.At])
	}
	due := most
	for _, look := range looks {
		if due = look; look >= most {
			break
		}
	}
	for _, cell := range cells {
		count := repeats[cell.At]
		g.Records += count
		if count >= due {
			complete++
		}
	}
	g.Due += due * len(cells)
	g.Groups++
	g.Cells += len(cells)
	g.Complete += complete
	if complete < len(cells) {
		g.OpenGroups++
	}
}
