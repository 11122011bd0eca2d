//go:build !unix

package slurm

import "os"

// warning is the signal that a job asks for before its time limit.
var warning = os.Interrupt

// warningName is what sbatch calls it.
const warningName = "INT"
