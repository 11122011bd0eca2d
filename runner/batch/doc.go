// Package batch runs shards of a plan elsewhere: it submits them to an engine,
// says what is there, and merges the records.
//
//  1. [Submit] makes a plan, freezes it and cuts it into shards. It hands the shards
//     that are neither complete nor queued to an [Engine], and after them a job that
//     merges and reports. It may be called again at any time: the same shard is never
//     queued twice. [Again] does so for the plan that was frozen before.
//  2. Each job calls `mercer shard`: [Compute] writes records to a folder of its own.
//  3. [Open] reads a run that was submitted before.
//  4. [Run.Status] counts the records of each shard from the files alone, and adds
//     what the engine knows of the rest.
//  5. [Merge] gathers the records of the shards, and of further runs of the same
//     plan, into the run's folder.
//
// The records decide what is done, the engine decides what is queued. jobs.json
// keeps the settings of the last submit and the jobs' numbers; without it no record
// is lost.
//
// A scheduler that runs the script of package script is a row in its schedulers.go. One
// that mercer submits to by itself is a folder beside it, with an [Engine], and a line in
// cmd/submit.go.
//
// # Files
//
// Below RUN/batch: plan.json (the frozen plan), mercer (a copy of this program),
// array.sh and report.sh (the jobs) or job.sh, logs/, shards/NNNN/ (records) and jobs.json.
package batch
