package figure

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"mercer/report/format"
)

// mostTicks is how many labels an axis has room for.
const mostTicks = 6

// ticks label the axis: at its names, which get some room, at round numbers, or on a log axis at
// powers of ten, of a short one at 2 and 5 times a power too: from v to 5v are two of these at least. The
// LogTicks of gonum/plot label powers alone, of which a figure often has one or none.
func (a Axis) ticks(sign float64, room vg.Length) (ticks plot.ConstantTicks) {
	for i, name := range a.Names {
		ticks = append(ticks, plot.Tick{Value: sign * float64(i), Label: fit(name, textStyle(tickSize), room)})
	}
	low, high := a.to(a.Span[0]), a.to(a.Span[1])
	switch {
	case len(a.Names) > 0:
		return ticks
	case !a.Log || a.Span[1] < 5*a.Span[0]:
		for _, t := range (plot.DefaultTicks{}).Ticks(a.Span[0], a.Span[1]) {
			if !t.IsMinor() {
				ticks = append(ticks, plot.Tick{Value: a.to(t.Value), Label: tickText(t.Value)})
			}
		}
		return ticks
	}

	for power := math.Floor(low); power <= high; power += math.Ceil((high - low) / mostTicks) {
		for _, digit := range []float64{1, 2, 5} {
			if t := power + math.Log10(digit); (digit == 1 || high-low < 2) && t >= low && t <= high {
				ticks = append(ticks, plot.Tick{Value: t, Label: tickText(math.Pow(10, t))})
			}
		}
	}
	return ticks
}

var powers = strings.NewReplacer("e+0", "e", "e+", "e", "e-0", "e−", "-", "−")

// tickText is a number to six digits.
func tickText(v float64) string {
	v = format.RoundedTo(v, 6) + 0 // no negative zero
	return powers.Replace(strconv.FormatFloat(v, 'g', -1, 64))
}
