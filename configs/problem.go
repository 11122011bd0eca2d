package configs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mercer/internal/lists"
)

// Pos is a place in a file; Line and Col count from 1, 0 is unknown. Col
// counts characters, not bytes.
type Pos struct {
	File string
	Line int
	Col  int
}

// String is file:line:col, without the parts that are unknown.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return strings.TrimPrefix(fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col), ":")
}

// Problem is one mistake at one place of a file.
type Problem struct {
	Pos Pos
	Msg string
}

// Error is `file:line:col: message`.
func (p Problem) Error() string {
	if at := p.Pos.String(); at != "" {
		return at + ": " + p.Msg
	}
	return p.Msg
}

// Errorf is a Problem at a place, for what another package finds wrong with a
// spec: an unknown `use` name, a measure that a method does not have.
func Errorf(pos Pos, format string, args ...any) error {
	return Problem{Pos: pos, Msg: fmt.Sprintf(format, args...)}
}

// HasPlace says whether an error is a Problem or Problems.
func HasPlace(err error) bool { return errors.As(err, new(Problem)) || errors.As(err, new(Problems)) }

// Problems are all mistakes of a file, found in one go.
type Problems []Problem

// maxProblems is how many problems a file may have before it is not looked at further.
const maxProblems = 100

// Error prints one line a problem, sorted by position.
func (p Problems) Error() string {
	sorted := p.Sorted()
	text := strings.Join(lists.Map(sorted[:min(len(sorted), maxProblems)], Problem.Error), "\n")
	if len(p) >= maxProblems {
		text += "\n... and perhaps more"
	}
	return text
}

// Sorted is a copy in the order of file, line and column, without repetitions.
func (p Problems) Sorted() Problems {
	sorted := slices.Clone(p)
	slices.SortStableFunc(sorted, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return lists.Once(sorted)
}

// Add appends err, flattened: the problems inside a Problems or an errors.Join
// are added one by one, an error without a position as a Problem without one. A problem inside an error keeps
// its position and, for the message, the words that were wrapped around it.
// A nil err adds nothing.
func (p *Problems) Add(err error) {
	var many Problems
	var one Problem
	joined, several := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
	case several:
		for _, inner := range joined.Unwrap() {
			p.Add(inner)
		}
	case errors.As(err, &many):
		*p = append(*p, many...)
	case errors.As(err, &one):
		*p = append(*p, Problem{one.Pos, strings.Replace(err.Error(), one.Error(), one.Msg, 1)})
	default:
		*p = append(*p, Problem{Msg: err.Error()})
	}
}

// Err is p as an error, nil when there is no problem.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p.Sorted()
}
