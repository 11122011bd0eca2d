// Package slurm is the engine that runs shards on the workload manager Slurm, through
// its commands (sbatch, squeue, scontrol), by text. All that is Slurm's is here:
// another batch system is another package that implements [batch.Engine].
//
//  1. [Engine.Available] reads settings as sbatch does, says whether the commands are
//     there, and how many tasks one array may have. Of the user's variables sbatch sees only those that
//     choose account, QOS, partition, constraint and reservation.
//  2. [Engine.Submit] writes two batch scripts; paths in them are quoted for the shell.
//     It gives sbatch a job array, whose task numbers are those of the shards, and a
//     job that waits for it.
//  3. [Engine.Live] says what Slurm knows of a plan's jobs. What it does not know has no
//     entry: a job that has ended and was forgotten looks like one that never was, so
//     that its results must say how it ended.
//  4. [Here] is what Slurm tells a job: processors, memory, and its task, A_t: its
//     array's id and its number in it.
//
// Reference: Slurm 22.05 and later (sbatch --parsable, squeue --states=all).
package slurm
