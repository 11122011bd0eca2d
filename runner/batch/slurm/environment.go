package slurm

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// elsewhere are the variables by which Slurm's commands turn to other clusters.
var elsewhere = []string{"SLURM_CLUSTERS", "SBATCH_CLUSTERS", "SBATCH_CLUSTER_CONSTRAINT"}

// oneCluster fails where a variable is set that may send jobs, or questions about
// them, to other clusters: jobs would be looked for where they are not, and submitted
// again. What the variable says does not count, be it this cluster's own name.
func oneCluster() error {
	for _, name := range elsewhere {
		if value := os.Getenv(name); value != "" {
			return fmt.Errorf("slurm: %s=%s is set, which may turn to other clusters than this one, where jobs would be lost sight of: unset %s; jobs then stay on the cluster whose commands are in $PATH, and for another one submit on a node of that", name, value, name)
		}
	}
	return nil
}

// optionOf are variables of sbatch that are not named after their options.
var optionOf = map[string]string{"MEM_PER_NODE": "mem", "TIMELIMIT": "time", "REQ_SWITCH": "switches", "WAIT4SWITCH": "switches"}

// against are, by option of a script, those that are not to stand beside it.
var against = map[string][]string{"mem": {"mem-per-cpu", "mem-per-gpu"}, "requeue": {"no-requeue"}, "output": {"error"}}

// environment is this process's, for one of Slurm's commands: without what hides
// jobs from squeue or words them otherwise, and without what sbatch would put before
// the options of a script, by name, or what would keep it from answering at once.
// Accounts and other defaults of the user's stay.
func environment(options []string) []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		if slices.Contains(elsewhere, name) || strings.HasPrefix(name, "SQUEUE_") {
			return true
		}
		name, ok := strings.CutPrefix(name, "SBATCH_")
		if !ok {
			return false
		}
		option, ok := optionOf[name]
		if !ok {
			option = strings.ReplaceAll(strings.ToLower(name), "_", "-")
		}
		stands := func(given string) bool { return given == option || slices.Contains(against[given], option) }
		return option == "array-inx" || option == "wait" || slices.ContainsFunc(options, stands)
	})
}

// scriptOptions are the names of the long options in a batch script.
func scriptOptions(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		if option, ok := strings.CutPrefix(strings.TrimSpace(line), "#SBATCH --"); ok {
			name, _, _ := strings.Cut(option, "=")
			names = append(names, name)
		}
	}
	return names, nil
}
