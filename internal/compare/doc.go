// Package compare holds one run against an earlier one of the same experiment,
// or against what is kept of it, and says what became worse.
//
// # Steps
//
//  1. A [Side] is a run with its verdicts, or a reference: the folder of a run that
//     [WriteReference] made smaller, with the verdicts that the run had. A [Source] finds
//     the sides that the user names (open.go).
//  2. [Compare] matches the cells of two sides by their columns (but for sizes that the
//     spec gives a method by itself), and within them the repeats. What is gone, new
//     or no longer ok is found first (structure.go).
//  3. Rows of the same id have the same seeds and should be the same: their
//     numbers are held to a tolerance (numbers.go).
//  4. Other cells, whose seed, method version or data differ, are compared as
//     distributions, by exact rank tests (tests.go). So are times,
//     which no two runs share.
//  5. Verdicts are matched by claim and group, answers to targets by target and group
//     (verdicts.go).
//  6. Everything is data in a [Comparison], with a [Finding] for each thing that a
//     person should know; [Comparison.Table] prints it.
//
// # Tests
//
// Paired, where the seed and the data are the same on both sides and only the
// method differs: the signed-rank test over repeats. Else the rank-sum test
// (Mann–Whitney). Both are exact, given the ties, up to 60 and 50 values, and
// normal approximations beyond. inference.Comparison makes them, with the estimate and the interval.
// No law of the errors is assumed, only that the repeats are independent: Holm's correction over
// all cells asks for levels at which no test of means is known to keep its rate, and
// t tests call worse what a clustering in two states of equal chance does in three repeats.
//
// A test is made of each cell, and of each data set, kernel, method and metric
// over its cells: of the means over cells of the logarithms (where all values are
// positive), one a repeat. Repeats share samples over cells, but not among each
// other: they are the units. Holm's correction keeps the chance of any false
// "worse" or "slower" of the whole comparison below 1 - Confidence: half of it
// for the cells, half for the groups.
//
//   - Worse: the p of "not worse", so adjusted, is small, and the change is at
//     least Worse.
//   - Slower: the p of "at most Slower times as slow" is, and the
//     interval of the ratio lies above 1. The hypothesis has that factor in it, and
//     not 1, because two runs differ by what else the machine did, which no
//     repeats within the runs show.
//
// Few repeats cannot reach such p: r pairs have none below 2^-r, r repeats against
// r none below 1/C(2r, r). What such repeats leave open is [Undecided] and names the repeats
// that it takes (changes.go); it depends on numbers of repeats and tests alone, so that chance plays
// no part. So is an experiment of which nothing could be compared (structure.go).
package compare
