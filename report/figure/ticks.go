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

const (
	mostTicks   = 6  // labels that an axis has room for
	mostDecades = 12 // of a log axis with ticks between powers of ten
)

// ticks label the axis: at its names, which get some room, at round numbers, or on a log axis at
// powers of ten. The tickers of gonum/plot label a log axis at powers of ten alone, of which a
// figure often has one or none.
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
	}
	if len(ticks) == 0 {
		for _, t := range (plot.DefaultTicks{}).Ticks(a.Span[0], a.Span[1]) {
			if !t.IsMinor() {
				t.Label = tickText(t.Value)
				ticks = append(ticks, t)
			}
		}
	}
	for i := range ticks {
		ticks[i].Value = a.to(ticks[i].Value)
	}
	return ticks
}

// logTicks label powers of ten where an axis has three, else 1, 2 and 5 times a power. Ticks between
// have no label. A short axis has too few of both, and none here.
func logTicks(low, high float64) (ticks plot.ConstantTicks) {
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	for _, digits := range [][]int{{1}, {1, 2, 5}} {
		ticks = nil
		labels := 0
		for e := first; e <= last; e++ {
			for digit := 1; digit < 10; digit++ {
				v, _ := strconv.ParseFloat(strconv.Itoa(digit)+"e"+strconv.Itoa(e), 64)
				t := plot.Tick{Value: v}
				if slices.Contains(digits, digit) && (e-first)%(1+(last-first)/mostTicks) == 0 {
					t.Label = tickText(v)
				}
				if v < low*(1-1e-9) || v > high*(1+1e-9) || t.Label == "" && last-first > mostDecades {
					continue
				}
				if ticks = append(ticks, t); t.Label != "" {
					labels++
				}
			}
		}
		if labels >= 3 {
			return ticks
		}
	}
	return nil
}

// tickText is a number to six digits, where it is large or small with a raised power of ten.
func tickText(v float64) string {
	v = format.RoundedTo(v, 6) + 0 // no negative zero
	if size := math.Abs(v); size == 0 || size >= 1e-3 && size < 1e6 {
		return format.Minus(strconv.FormatFloat(v, 'f', -1, 64))
	}
	front, power, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	exponent, _ := strconv.Atoi(power)
	text := front + "·10" + raise + strconv.Itoa(exponent) + lower
	for _, sign := range []string{"", "-"} {
		if rest, one := strings.CutPrefix(text, sign+"1·"); one {
			text = sign + rest
		}
	}
	return format.Minus(text)
}
