// Package runner executes a plan: it computes the rows that are missing, and stores them.
//
// Begin with loop.go: the whole experiment is there, from the draw of a sample to the rows.
//
//	loop.go                      a group in a repeat: draw, fit, measure, hand on
//	draw.go, fit.go, score.go    these three steps
//	run.go                       a run: which groups, how many at once, in which process
//	serve.go, subprocess.go      a group in a process of its own, which can be ended where
//	                             it goes past a limit of time or memory
//	writer.go, manifest.go       what is stored
//
// Rows are stored in batches as they are finished, with the points that a figure shows. A run
// that stops anywhere goes on from there: the same command computes what is missing. A pass of
// a streaming method over several n is the exception: where a run stops within it, it begins
// again for the n that are missing, with the same numbers.
//
// A process of its own makes the plan again from its input, and stores nothing. Numbers are the
// same, bit for bit, in one process and in several.
package runner
