package reporttest

import (
	"mercer/configs"
)

// FixedPlots are plots of fixedRun, each kind once at least.
func FixedPlots() []configs.Plot {
	logs := configs.Axes{X: "log", Y: "log"}
	half := configs.Conditions{"theta": {"0.5"}}
	number := func(text string) *configs.Value { return &configs.Value{Text: text} }
	theory := configs.TheoryCurve{Curve: configs.Value{Text: "n^(-theta*(1-1/alpha))"}, Label: "Cor 4.2", Anchor: "last", Where: configs.Conditions{"method": {"nystrom"}}}
	return []configs.Plot{
		{ID: "rates", Title: "It falls | as it <should>", Kind: "line", X: "n", Y: "recon_h", Facet: "theta", Axes: logs, Band: "t",
			Theory: []configs.TheoryCurve{theory}, Floor: "recon_h_floor",
			Marks: []configs.Mark{{Y: number("0.1"), Label: "paper"}, {X: number("400"), Label: "a bend", Where: half}}},
		{ID: "course", Kind: "trajectory", X: "time_total", Y: "recon_h", Along: "n", Where: half, Axes: logs, Band: "sd"},
		{ID: "costs", Kind: "pareto", X: "time_total", Y: "recon_h", Axes: logs, Band: "t", Where: configs.Conditions{"method": {"rff", "ekpca"}}},
		{ID: "boxes", Kind: "box", X: "method", Y: "recon_h/recon_h_floor", By: []string{"theta"}, Facet: "n", Axes: configs.Axes{Y: "linear"}},
		{ID: "bars", Kind: "bar", X: "theta", Y: "recon_h", Facet: "n", Axes: configs.Axes{Y: "linear"}, Band: "t",
			Marks: []configs.Mark{{Y: number("0.2"), Label: "paper", Where: half}}},
		{ID: "mixed", Kind: "line", X: "n", Y: "recon_h", Axes: logs, Band: "t"},
		{ID: "before-and-after", Kind: "scatter", Where: configs.Conditions{"method": {"nystrom", "rff"}, "theta": {"0.5"}, "n": {"1000"}}},
	}
}
