// Package script is the engine of all schedulers that mercer does not talk to: it writes
// a job script and says how to submit it.
//
//  1. [Engine.Submit] writes RUN/batch/job.sh, which any POSIX shell reads. Its argument
//     is the number of a shard, from 0. Without one it takes the number of the array task
//     from the first variable of [Variables] that is set to a number, less MERCER_TASK_BASE
//     or else the number at which that scheduler's arrays begin.
//     Where an image is named it also writes RUN/batch/job.yaml, an Indexed Job of Kubernetes.
//  2. It prints, for each scheduler, the command that submits the shards that are missing.
//  3. [Engine.Live] knows nothing: the files of the shards say what is done. A shard that
//     is computed twice, at once or later, waits for the first and finds its records.
package script
