// Package selection picks records of a run by conditions, splits them by columns
// and reads a quantity from each. Claims, budgets and plots go through it, so that
// `where`, `by` and expressions over metrics mean the same in all of them.
//
// # Steps
//
//  1. [New] puts a run's records into canonical order and leaves out those of data
//     sets that are absent.
//  2. [Records.Groups] picks records by `where` and splits them: by dataset and
//     kernel always, by method unless methods are compared, then by `by`.
//     [Records.Pick] picks alone.
//  3. [Records.Quantity] is a metric or an expression over metrics, grid variables
//     and sizes. [Quantity.Read] reads it from records; a record that failed gives
//     a reading with its error.
//  4. [Cells] splits readings into cells, whose readings are repeats of each other.
//     [Records.CoordinatesWithin] names the cells of a group by what varies in it.
//  5. [Records.Environment] has the numbers that a target may use: the constants of
//     the dataset, and the variables that are constant in the records.
//
// # Columns
//
// A column is dataset, kernel, method, a size or a grid variable. A size has two
// values where a method sets its own: `where` and `by` see that of the grid point
// ([Column]); axes, names and expressions see the one that the method used ([Axis]).
package selection
