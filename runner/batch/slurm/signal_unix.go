//go:build unix

package slurm

import (
	"os"
	"syscall"
)

// warning is the signal that a job asks for before its time limit. It is not the
// one that ends a job that is cancelled, so that such a job is not requeued.
var warning os.Signal = syscall.SIGUSR1

// warningName is what sbatch calls it.
const warningName = "USR1"
