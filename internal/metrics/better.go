package metrics

import "slices"

// Better says which values of a metric speak for a method.
type Better int

// Neither is for what describes and does not judge: spectra, floors, parts of
// errors, and what methods measure in spaces of their own, where no value of one
// can be held against one of another.
const (
	Neither Better = iota
	Less
	More
)

// BetterOf is the direction of a metric of the registry; Neither for any other.
func BetterOf(metric string) Better {
	for _, m := range Registry {
		if i := slices.Index(m.Outputs, metric); i >= 0 {
			return m.Better[min(i, len(m.Better)-1)]
		}
	}
	return Neither
}

// String is "less", "more" or "neither".
func (b Better) String() string {
	return [...]string{"neither", "less", "more"}[b]
}
