package slurm

import (
	"os"
	"slices"
	"strings"
)

// kept are the variables of sbatch that choose what a user may use on the cluster.
var kept = []string{"SBATCH_ACCOUNT", "SBATCH_QOS", "SBATCH_PARTITION", "SBATCH_CONSTRAINT", "SBATCH_RESERVATION"}

// environment is this process's, for one of Slurm's commands: without what sbatch
// would put before the options of a script, what hides jobs from squeue or words them
// otherwise, and what turns to other clusters, where jobs would be lost sight of.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return name == "SLURM_CLUSTERS" || strings.HasPrefix(name, "SQUEUE_") || strings.HasPrefix(name, "SBATCH_") && !slices.Contains(kept, name)
	})
}
