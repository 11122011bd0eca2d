package cmd

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// dropped are commands, flags and values of earlier versions, with what to use instead.
var dropped = map[string]string{
	"bisect":                    "git bisect run, with mercer run and mercer compare (docs/compare.md)",
	"validate --json":           "the lines file:line:column: problem that mercer validate prints",
	"verify":                    asVerify,
	"site":                      "the folder of runs on any web server: each report is one file, report/index.html",
	"history":                   "mercer compare for two runs, or the tables of mercer export for many",
	"compare --run":             "mercer compare for times of fits, or hyperfine for whole commands (docs/compare.md)",
	"compare --allow-undecided": "the exit code, which is 5 for undecided: mercer compare BASE NEW || test $? -eq 5",
	"compare --format":          "mercer compare --json, and its exit code (docs/compare.md)",
	"compare --where":           "mercer run --filter, and mercer compare of that run",
	"compare --confidence":      asThreshold,
	"compare --drift":           asThreshold,
	"compare --drift-elsewhere": asThreshold,
	"compare --write":           "mercer compare BASE NEW --json > FILE",
	"compare --references":      "git worktree add DIR COMMIT and mercer compare DIR/results/reference NEW (docs/compare.md)",
	"export --format ro-crate":  asVerify,
	"export --license":          asVerify,
	"export --format parquet":   "--format csv, which DuckDB, pandas and Arrow read",
	"report --out":              asOverlay,
	"explain":                   "a claim of the kind bound in a spec: its section of the report has the conditions and the bound in numbers (docs/spec.md)",
	"check --rates":             "mercer check, whose table of verdicts has the slopes with their intervals",
	"check --recompute":         "mercer run with the spec of the run: it computes what is missing, facts on populations among it",
	"data images":               "a program of yours: mercer data get NAME prints the files of a data set",
	"init --list":               "mercer init --csv FILE or --program FILE",
	"init --population":         "mercer show nystrom-kpca-rates > my.yaml, a spec about a rate",
	"init --question":           "question: in the spec",
	"init --rate":               "mercer show nystrom-kpca-rates > my.yaml, a spec about a rate",
	"data path":                 "mercer data get NAME, which prints where the files are",
	"doctor":                    "mercer plan SPEC, whose last lines name the back end of linear algebra and its speed (docs/speed.md)",
	"list --format":             "mercer list --json",
	"list --markdown":           "docs/kernels.md and the like, which make generate writes",
	"status":                    "the folders of the shards: mercer merge names what is missing (docs/schedulers.md)",
	"watch":                     "the progress that mercer run prints, and mercer check for what is stored",
	"shard":                     "mercer run SPEC --shard i/N --out DIR (docs/schedulers.md)",
	"submit --engine":           asShards,
	"submit --max-parallel":     asArguments,
	"submit --cpus":             asArguments,
	"submit --mem":              asArguments,
	"submit --time":             asArguments,
	"submit --partition":        asArguments,
	"submit --setup":            asShards,
	"submit --sbatch-arg":       asArguments,
	"submit --kubernetes":       asShards,
	"submit --volume":           asShards,
	"submit --dry-run":          "mercer submit --print",
	"submit --wait":             "the scheduler: the last job merges, judges and reports",
	"plan --max-repeats":        asRepeats,
	"run --max-repeats":         asRepeats,
	"submit --max-repeats":      asRepeats,
	"submit --strict":           "mercer check --strict",
	"report RUN RUN":            asOverlay,
}

const (
	asVerify    = "the run's folder, which has its spec, versions and hashes, and mercer compare with a run of the same command elsewhere (docs/commands.md)"
	asArguments = "arguments of the scheduler after --: mercer submit SPEC --shards 8 -- --time=4:00:00"
	asRepeats   = "repeats: {from: 8, to: 160, until: decided} in the spec, or by --set"
	asThreshold = "--worse and --slower; the other thresholds are fixed (docs/compare.md)"
	asShards    = "mercer run SPEC --shard i/N --out DIR in a job script of your own, or mercer submit --template FILE (docs/schedulers.md)"
	asOverlay   = "mercer compare for two runs, or a report of each"
)

// gone refuses what was dropped; nil for what was not.
func gone(what string) error {
	if instead := dropped[what]; instead != "" {
		return usage(fmt.Errorf("mercer %s is no longer there; use %s", what, instead))
	}
	return nil
}

// goneCommands refuse the commands that were dropped, whatever their arguments.
func goneCommands() []*cobra.Command {
	var all []*cobra.Command
	for _, name := range slices.Sorted(maps.Keys(dropped)) {
		if !strings.Contains(name, " ") {
			all = append(all, &cobra.Command{Use: name, Hidden: true, DisableFlagParsing: true, Args: func(*cobra.Command, []string) error { return gone(name) }, Run: func(*cobra.Command, []string) {}})
		}
	}
	return all
}
