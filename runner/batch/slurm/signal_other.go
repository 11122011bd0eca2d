//go:build !unix

package slurm

import "os"

// Warning is the signal that a job asks for before its time limit.
var Warning = os.Interrupt

// WarningName is what sbatch calls it.
const WarningName = "INT"
