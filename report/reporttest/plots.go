package reporttest

import (
	"mercer/configs"
)

// FixedPlots are plots of fixedRun, each kind once at least but for comparisons over
// problems, since it has one.
func FixedPlots() []configs.Plot {
	logs := configs.Axes{X: "log", Y: "log"}
	half := configs.Conditions{"theta": {Value: []string{"0.5"}}}
	number := func(text string) *configs.Value { return &configs.Value{Text: text} }
	theory := configs.TheoryCurve{Curve: configs.Value{Text: "n^(-theta*(1-1/alpha))"}, Label: "Cor 4.2", Anchor: "last", Where: configs.Conditions{"method": {Value: []string{"nystrom"}}}}
	return []configs.Plot{
		{ID: "rates", Title: "It falls | as it <should>", Kind: "line", X: configs.Quantity{Text: "n"}, Y: configs.Quantity{Text: "recon_h"}, Facet: configs.Word{Value: "theta"}, Axes: logs, Band: "t",
			Theory: []configs.TheoryCurve{theory}, Floor: configs.Quantity{Text: "recon_h_floor"},
			Marks: []configs.Mark{{Y: number("0.1"), Label: "paper"}, {X: number("400"), Label: "a bend", Where: half}}},
		{ID: "course", Kind: "trajectory", X: configs.Quantity{Text: "time_total"}, Y: configs.Quantity{Text: "recon_h"}, Along: configs.Word{Value: "n"}, Where: half, Axes: logs, Band: "sd"},
		{ID: "costs", Kind: "pareto", X: configs.Quantity{Text: "time_total"}, Y: configs.Quantity{Text: "recon_h"}, Axes: logs, Band: "t", Where: configs.Conditions{"method": {Value: []string{"rff", "ekpca"}}}},
		{ID: "spread", Kind: "bar", X: configs.Quantity{Text: "method"}, Y: configs.Quantity{Text: "recon_h/recon_h_floor"}, By: configs.Words{{Value: "theta"}}, Facet: configs.Word{Value: "n"}, Band: "sd"},
		{ID: "bars", Kind: "bar", X: configs.Quantity{Text: "theta"}, Y: configs.Quantity{Text: "recon_h"}, Facet: configs.Word{Value: "n"}, Band: "t",
			Marks: []configs.Mark{{Y: number("0.2"), Label: "paper", Where: half}}},
		{ID: "mixed", Kind: "line", X: configs.Quantity{Text: "n"}, Y: configs.Quantity{Text: "recon_h"}, Axes: logs, Band: "t"},
		{ID: "heat", Kind: "heatmap", X: configs.Quantity{Text: "n"}, Y: configs.Quantity{Text: "theta"}, Of: configs.NewQuantity("recon_h")},
		{ID: "tight", Title: "How tight", Kind: "heatmap", X: configs.Quantity{Text: "n"}, Y: configs.Quantity{Text: "theta"}, Of: configs.Quantity{Text: "measured/bound"}, Claim: configs.Word{Value: "thm-4.1-iii"}},
		{ID: "before-and-after", Kind: "scatter", Where: configs.Conditions{"method": {Value: []string{"nystrom", "rff"}}, "theta": {Value: []string{"0.5"}}, "n": {Value: []string{"1000"}}}},
	}
}
