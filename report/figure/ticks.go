package figure

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"mercer/report/format"
)

// mostTicks is how many labels an axis has room for.
const mostTicks = 6

// ticks label the axis: at its names, which get some room, at round numbers, or on a log axis at powers of ten. The
// tickers of gonum/plot label a log axis at powers of ten alone, of which a figure often has
// one or none.
func (a Axis) ticks(sign float64, room vg.Length) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for i, name := range a.Names {
		ticks = append(ticks, plot.Tick{Value: sign * float64(i), Label: fit(name, textStyle(tickSize), room)})
	}
	switch {
	case len(a.Names) > 0:
		return ticks
	case a.Log:
		ticks = logTicks(a.Span[0], a.Span[1])
	default:
		ticks = labelled(roundNumbers(a.Span[0], a.Span[1]), false)
	}
	for i := range ticks {
		ticks[i].Value = a.to(ticks[i].Value)
	}
	return ticks
}

// roundNumbers are multiples of a step that is 1, 2 or 5 times a power of ten.
func roundNumbers(low, high float64) []float64 {
	step := math.Pow(10, math.Floor(math.Log10(high-low))-1)
	for _, factor := range []float64{2, 2.5, 2, 2, 2.5} { // 1, 2, 5, 10, 20, 50
		if (high-low)/step < mostTicks {
			break
		}
		step *= factor
	}
	var at []float64
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		at = append(at, format.RoundedTo(i*step, 12)+0) // no negative zero
	}
	return at
}

// logTicks label powers of ten where an axis has three, else 1, 2 and 5 times a power, and
// round numbers on a short axis. Ticks between have no label.
func logTicks(low, high float64) plot.ConstantTicks {
	var powers, few, all []float64
	for e := int(math.Floor(math.Log10(low))); e <= int(math.Ceil(math.Log10(high))); e++ {
		for digit := 1; digit < 10; digit++ {
			v, _ := strconv.ParseFloat(strconv.Itoa(digit)+"e"+strconv.Itoa(e), 64)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			all = append(all, v)
			if digit == 1 {
				powers = append(powers, v)
			}
			if digit == 1 || digit == 2 || digit == 5 {
				few = append(few, v)
			}
		}
	}
	at := powers
	if len(at) < 3 {
		at = few
	}
	if len(at) < 3 {
		at = roundNumbers(low, high)
	}
	if step := (len(at) + mostTicks - 1) / mostTicks; step > 1 {
		thin := at[:0:0]
		for i := 0; i < len(at); i += step {
			thin = append(thin, at[i])
		}
		at = thin
	}
	ticks := labelled(at, true)
	if len(all) > 110 {
		return ticks
	}
	for _, v := range all {
		if !slices.Contains(at, v) {
			ticks = append(ticks, plot.Tick{Value: v})
		}
	}
	return ticks
}

// labelled writes numbers in one style: plain where all are short so, else with a raised power
// of ten, which is the same for all on a linear axis.
func labelled(at []float64, log bool) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	least, most := math.Inf(1), 0.0
	for _, v := range at {
		least, most = min(least, math.Abs(v)), max(most, math.Abs(v))
	}
	short := most == 0 || most < 1e6 && most >= 1e-3 && (!log || least >= 1e-3)
	for _, v := range at {
		v = format.RoundedTo(v, 6) + 0 // no negative zero
		power := math.Floor(math.Log10(most) + 1e-9)
		if log {
			power = math.Floor(math.Log10(v) + 1e-9)
		}
		text := strconv.FormatFloat(v, 'f', -1, 64)
		if !short && v != 0 {
			text = strconv.FormatFloat(format.RoundedTo(v/math.Pow(10, power), 6), 'f', -1, 64) + "·10" + raise + strconv.Itoa(int(power)) + lower
			for _, sign := range []string{"", "-"} {
				if rest, one := strings.CutPrefix(text, sign+"1·"); one {
					text = sign + rest
				}
			}
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: format.Minus(text)})
	}
	return ticks
}
