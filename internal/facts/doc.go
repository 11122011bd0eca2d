// Package facts holds what the theorems ask of a run's populations, as numbers that
// are stored beside its records, so that claims are judged from files alone.
//
//  1. [Load] reads a run's stored facts. It leaves out what was stored for another
//     population: another seed, other data or another kernel.
//  2. [Table.At] gives the population of a repeat, which answers from its [Facts].
//  3. At the end of a run [Table.Record] names a source, such as the run's data sets.
//     Judging the claims then asks the source whatever is not stored, and keeps its
//     answers; [Table.Save] stores them. A question is asked once.
//
// The same questions get the same answers, bit for bit, from the source and from the
// file, and so the same verdicts.
package facts
