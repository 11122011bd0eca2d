// Package sections writes what a report says about a run, in the order of a reader's
// questions: a file a section. [Report] puts them together; [Claims] groups verdicts by
// claim with their figures. Tables of numbers for programs are CSV (tables.go).
package sections
