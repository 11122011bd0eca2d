package views

import (
	"slices"

	"mercer/internal/lists"
	"mercer/report/format"
)

// Mark is how a cell is shown.
type Mark int

const (
	Plain   Mark = iota
	Code         // a name of the spec
	Outcome      // of a claim, in words
	Best         // of its row, beyond doubt
)

// Cell is a text of a table, e.g. "0.12 ± 0.01", marked.
type Cell struct {
	Text string
	Mark Mark
}

// Column is a column of a table: its head, and whether it is flush right, as numbers are.
type Column struct {
	Head  Cell
	Right bool
}

// Table is rows below columns. Markdown shows the first Most rows, all where Most is 0; File has
// all of them.
type Table struct {
	Columns []Column
	Rows    [][]Cell
	Most    int
	All     int // number of rows, where Rows are the first of more
	File    string
}

// Row has plain texts as cells; an empty text is shown as unknown.
func Row(texts ...string) []Cell {
	return lists.Map(texts, func(text string) Cell {
		if text == "" {
			text = format.None
		}
		return Cell{Text: text}
	})
}

// columns are heads, those flush right with a leading ">".
func columns(heads ...string) []Column {
	return lists.Map(heads, func(head string) Column {
		if head[0] == '>' {
			return Column{Cell{Text: head[1:]}, true}
		}
		return Column{Cell{Text: head}, false}
	})
}

// filled is t without the columns that have no value in any row.
func (t Table) filled() Table {
	for i := len(t.Columns) - 1; i >= 0 && len(t.Rows) > 0; i-- {
		if slices.ContainsFunc(t.Rows, func(row []Cell) bool { return row[i].Text != "" && row[i].Text != format.None }) {
			continue
		}
		t.Columns = slices.Delete(slices.Clone(t.Columns), i, i+1)
		t.Rows = lists.Map(t.Rows, func(row []Cell) []Cell { return slices.Delete(slices.Clone(row), i, i+1) })
	}
	return t
}

// Shown are the first rows that have room, and Left is how many are left out. most is 0 for all.
func (t Table) Shown(most int) [][]Cell {
	if most == 0 {
		return t.Rows
	}
	return t.Rows[:min(most, len(t.Rows))]
}

func (t Table) Left(most int) int { return max(t.All, len(t.Rows)) - len(t.Shown(most)) }
