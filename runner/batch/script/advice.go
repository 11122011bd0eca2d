package script

import (
	"fmt"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/runner/batch"
)

// advice is how to submit the script to each scheduler.
func advice(o batch.Order) string {
	script, shards := plain.Quote(o.Path(File)), batch.Ranges(o.Shards)
	first, last := o.Shards[0], o.Shards[len(o.Shards)-1]
	from1 := lists.Map(o.Shards, func(shard int) int { return shard + 1 })
	ways := [][2]string{
		{"Slurm", fmt.Sprintf("sbatch --array=%s %s", shards, script)},
		{"PBS", fmt.Sprintf("qsub -J %d-%d %s", first, last, script)},
		{"Grid Engine", fmt.Sprintf("qsub -S /bin/sh -t %d-%d %s", first+1, last+1, script)},
		{"LSF", fmt.Sprintf("bsub -J 'mercer[%s]' %s", batch.Ranges(from1), script)},
		{"HyperQueue", fmt.Sprintf("hq submit --array %s %s", shards, script)},
		{"GNU parallel", fmt.Sprintf("seq %d %d | parallel -q %s", first, last, script)},
		{"here", fmt.Sprintf("for i in $(seq %d %d); do %s $i; done", first, last, script)},
	}
	if o.Settings.Image != "" {
		ways = append(ways, [2]string{"Kubernetes", "kubectl create -f " + plain.Quote(o.Path(Manifest))})
	}
	var b strings.Builder
	for _, way := range ways {
		if way[0] != "PBS" || first < last { // which has no arrays of one task
			fmt.Fprintf(&b, "  %-13s %s\n", way[0], way[1])
		}
	}
	return b.String()
}
