// Package slurm speaks with the workload manager Slurm through its commands
// (sbatch, squeue, scontrol), by text. It knows nothing of what its jobs compute,
// and imports no sibling.
//
//  1. [Available] says whether the commands are there, and [OneCluster] whether the
//     environment may turn them to others than this cluster.
//  2. A [Script] is the text of a batch script; paths in it are quoted for the shell.
//  3. An [Array] is a set of task numbers for one script. [Array.Submissions]
//     divides it into job arrays that the cluster takes (MaxArraySize), each with
//     the offset that its task numbers lack.
//  4. [Submit] gives one to sbatch; [Queue] says what Slurm knows of jobs of a name.
//     What it does not know has no entry: a job that has ended and was forgotten
//     looks like one that never was, so that its results must say how it ended.
//  5. [Requeue] puts one task back into the queue, never a whole array.
//
// A task is named A_t, its array's id and its number in it; the offset of the array
// is kept in the job's comment, so that a task can be told from the queue alone.
//
// Reference: Slurm 22.05 and later (sbatch --parsable, squeue --states=all).
package slurm
