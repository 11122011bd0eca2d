// Package plan says what a run of a spec computes: every record that is due, its key,
// its random streams and its cost. It fits nothing.
//
//  1. Resolve decodes what each data set, kernel and method of a spec says, and checks
//     measures, claims, plots and budgets against them. It reads no data. Check goes
//     on from there as far as it can without data, for mercer validate.
//  2. Prepare opens the data and expands the grid into cells (expand.go): one for each
//     data set, kernel, method and point of the grid. Cells of one method that share a
//     result are one Fit; fits that share a sample, a population and a Gram matrix are
//     one Group. A data set that is absent has one skipped record for each method.
//  3. It estimates flops and bytes of each fit (estimate.go), and decides which fits
//     read their sample in blocks (streaming.go).
//  4. It applies the filter, repeats the groups, and marks the cells whose points a
//     figure shows (shown.go).
//  5. It gives each record its key (keys.go): a hash of all that determines the result.
//
// Fits of a streaming method that differ in n only are one pass over the sample
// (Passes). Parts divides a group into parts that fit into memory, and refuses the
// fits that never do (limits.go). Order says in which order they are computed: that of
// timed fits is drawn anew for each repeat (order.go).
//
// Input holds all that a plan is made from, so that other processes can make the same
// plan; Plan.Digest says whether they did. Shards cuts a plan into parts of about equal
// time, and Freeze writes input, digest and shards into a file.
//
// Every random stream is keyed by names (seeds.go), so results do not depend on the
// order of the work or on the number of workers.
package plan
