package batch

import (
	"cmp"
	"slices"
)

// Settings are what each shard gets, as the engine reads it. Zero values are the
// defaults.
type Settings struct {
	Engine      string   `json:"engine,omitempty"`       // its name
	CPUs        int      `json:"cpus,omitempty"`         // processors of a shard
	Mem         string   `json:"mem,omitempty"`          // memory of a shard
	Time        string   `json:"time,omitempty"`         // time limit of a shard
	Partition   string   `json:"partition,omitempty"`    // of the cluster
	Setup       string   `json:"setup,omitempty"`        // shell lines that each job begins with
	MaxParallel int      `json:"max_parallel,omitempty"` // shards that run at once, 0 for no limit
	Image       string   `json:"image,omitempty"`        // of the pods of Kubernetes
	Volumes     []string `json:"volumes,omitempty"`      // that they have, each as CLAIM:PATH
	Args        []string `json:"args,omitempty"`         // further arguments of the engine's command
}

// Over returns s with what o gives in its place; settings of one engine mean nothing
// to another.
func (o Settings) Over(s Settings) Settings {
	if o.Engine != "" && o.Engine != cmp.Or(s.Engine, "slurm") {
		return o
	}
	over := Settings{
		Engine: cmp.Or(o.Engine, s.Engine),
		CPUs:   cmp.Or(o.CPUs, s.CPUs), Mem: cmp.Or(o.Mem, s.Mem), Time: cmp.Or(o.Time, s.Time),
		Partition: cmp.Or(o.Partition, s.Partition), Setup: cmp.Or(o.Setup, s.Setup),
		MaxParallel: cmp.Or(o.MaxParallel, s.MaxParallel),
		Image:       cmp.Or(o.Image, s.Image), Volumes: s.Volumes, Args: s.Args,
	}
	if len(o.Volumes) > 0 {
		over.Volumes = slices.Clone(o.Volumes)
	}
	if len(o.Args) > 0 {
		over.Args = slices.Clone(o.Args)
	}
	return over
}

// Stopped is the error of what was stopped before its end; nil where all is said.
type Stopped struct{ Err error }

func (s Stopped) Error() string {
	if s.Err == nil {
		return ""
	}
	return s.Err.Error()
}
