// Package runner executes a plan: it computes the records that are missing, and stores
// them.
//
//  1. Run opens the store, counts what earlier starts have finished, and writes the
//     manifest (run.go, state.go, manifest.go).
//  2. It admits groups side by side as far as workers and memory allow, and records
//     fits that can never fit into memory as oom (schedule.go). Groups whose cells are
//     timed run alone, one after another.
//  3. The sample is drawn and the population opened once for a group
//     (prepare_group.go); then each pass fits its method, one fit after another, in the
//     plan's order (group.go, pass.go), and each model is measured at every ℓ (score.go).
//  4. A group that is isolated (isolate.go) is computed in the same way by a worker
//     process (serve.go), which can be killed when it goes past a limit. The run sends
//     it the group and the cells as a line of JSON, and reads the records, a line for
//     each fit (subprocess.go, worker.go, pool.go). A worker that dies costs the pass in
//     hand; another one computes the rest.
//  5. Finished records are stored in batches, with the points that a figure shows
//     (writer.go). A run that stops anywhere continues from there: the same command
//     computes what is missing.
//
// A pass of a streaming method over several n stores the records of each n as it is
// reached. A run that stops in between loses the pass: it starts again for the n that
// are missing, with the same results.
//
// A worker process makes the plan again from its input, and stores no record. Results
// are the same, bit for bit, in one process and in several.
package runner
