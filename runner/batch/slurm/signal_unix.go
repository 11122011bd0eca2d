//go:build unix

package slurm

import (
	"os"
	"syscall"
)

// Warning is the signal that a job asks for before its time limit. It is not the
// one that ends a job that is cancelled, so that such a job is not requeued.
var Warning os.Signal = syscall.SIGUSR1

// WarningName is what sbatch calls it.
const WarningName = "USR1"
