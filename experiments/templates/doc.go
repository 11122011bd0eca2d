// Package templates writes the first spec of a user: for data of a CSV file, for a population
// whose rates are known, or for a program as a method. Each spec has comments that say what to
// change, a plot, and a smoke profile that takes seconds.
package templates

// All are the templates by name, with what they are for.
var All = []struct{ Name, Doc, Example string }{
	{"csv", "compare methods on the points of a CSV file", "mercer init --csv data.csv --compare nystrom,rff,kjl"},
	{"population", "see at which rate an error falls, on a population whose operators are known", "mercer init --population series --rate=-0.25"},
	{"program", "compare a program of yours with mercer's methods", "mercer init --program method.py --compare ekpca,nystrom"},
}
