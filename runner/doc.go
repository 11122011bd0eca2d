// Package runner turns a spec into records.
//
//  1. Resolve decodes what every dataset, kernel and method of a spec says, and
//     refuses what cannot be meant; it reads no data.
//  2. Prepare opens the data, expands the grid into cells, gives each record its
//     key, and groups what shares work: a Plan.
//  3. Run carries out the plan's missing records, groups side by side, and
//     appends them to the run's store as they come; a run that stopped anywhere
//     goes on from there. Points that a scatter plot shows are kept beside the
//     records (points.go), and remade where they are missing.
//  4. A run of several processes or machines cuts the plan: Freeze writes its recipe,
//     digest and shards to a file, from which each process makes the plan of a shard
//     again and runs it into a directory of its own; results.Merge gathers them, and
//     States says what is still due.
//
// A group is one dataset, kernel and repeat: one sample (nested in n), one
// population, one Gram matrix. Within it a fit is one method at one (n, m, d, k),
// computed once at the largest ℓ and measured at each; a method whose result at one
// ℓ is no part of that at another has a fit for each ℓ. The fits of a streaming
// method that differ in n only are one pass over the sample: each n's records are
// stored as it is reached, and a run that stops in between loses the pass, which
// starts again for the n that are missing, with the same results. Cells whose time
// is measured share nothing and run alone.
//
// A fit whose sample would take much memory streams where its method and the
// measures allow it (hold.go): it reads the points in blocks, from files or from the
// generator, with the same results.
//
// Every random stream is keyed by names (Streams), so results do not depend on
// the order of the work or on the number of workers.
package runner
