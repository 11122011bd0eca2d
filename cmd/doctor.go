package cmd

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"mercer/data/fetch"
	"mercer/internal/linalg"
	"mercer/runner"
)

func newDoctor() *cobra.Command {
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Show the linear-algebra back end and its speed, and how to make it faster",
		Long: `Show the linear-algebra back end, its measured speed, the machine, and the data
directory. $MERCER_BLAS names a BLAS library to use; "none" means mercer's own
kernels.`,
		Example: "  mercer doctor\n  MERCER_BLAS=none mercer doctor",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d, err := diagnose()
			if err != nil {
				return usage(err)
			}
			return answer(c, d, d.String)
		},
	}
	addJSON(c, "print JSON")
	return c
}

// diagnosis is what mercer doctor finds.
type diagnosis struct {
	Version  string    `json:"version"`
	BackEnd  string    `json:"back_end"`
	Library  string    `json:"library,omitempty"`
	Config   string    `json:"config,omitempty"`
	GFLOPS   []float64 `json:"gflops"` // of a 1024×1024 matrix product on 1, 2, … threads
	CPU      string    `json:"cpu"`
	Cores    int       `json:"cores"`
	Memory   uint64    `json:"memory_bytes"`
	Cache    string    `json:"cache"`
	Warnings []string  `json:"warnings,omitempty"`
	Advice   string    `json:"advice,omitempty"`
}

func diagnose() (diagnosis, error) {
	info, err := linalg.Use()
	if err != nil {
		return diagnosis{}, err
	}
	machine := runner.ThisMachine()
	cache, err := fetch.CacheDir()
	if err != nil {
		cache = err.Error()
	}
	d := diagnosis{
		Version: version(), BackEnd: info.Name, Library: info.Path, Config: info.Config,
		CPU: machine.CPU, Cores: machine.Cores, Memory: machine.Memory, Cache: cache,
		Warnings: info.Warnings, Advice: info.Advice,
	}
	for threads := 1; threads <= runtime.NumCPU(); threads *= 2 {
		d.GFLOPS = append(d.GFLOPS, linalg.Speed(threads))
	}
	return d, nil
}

func (d diagnosis) String() string {
	var b strings.Builder
	line := func(name, format string, values ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", name, fmt.Sprintf(format, values...))
	}
	line("mercer", "%s, %s", d.Version, runtime.Version())
	line("back end", "%s", d.BackEnd)
	if d.Library != "" {
		line("library", "%s", d.Library)
	}
	var speeds []string
	for i, speed := range d.GFLOPS {
		speeds = append(speeds, fmt.Sprintf("%.0f on %d", speed, 1<<i))
	}
	line("speed", "GFLOP/s by threads: %s (matrix product, 1024×1024)", strings.Join(speeds, ", "))
	line("machine", "%s, %d cores, %.1f GiB", d.CPU, d.Cores, float64(d.Memory)/(1<<30))
	line("data", "%s", d.Cache)
	for _, warning := range d.Warnings {
		line("note", "%s", warning)
	}
	if d.Advice != "" {
		line("faster", "%s", d.Advice)
	}
	return b.String()
}
