package plan

import "fmt"

// Memory counts the bytes of the arrays that are held at once, by what holds them.
// Garbage is not in it: how much of that stands is the collector's matter.
type Memory struct {
	Sample     int64 `json:"sample"`             // its points, or an index of those that are read in blocks
	Gram       int64 `json:"gram"`               // the sample's kernel matrix, shared by fits
	Spectrum   int64 `json:"spectrum,omitempty"` // the eigenpairs of that of one n, shared by rules of landmarks
	Population int64 `json:"population"`         // one that changes with the repeat, and finding the spectrum of any or measuring against it
	Fit        int64 `json:"fit"`                // the largest fit, or measuring it without a population
}

// Total is the sum.
func (m Memory) Total() int64 { return m.Sample + m.Gram + m.Spectrum + m.Population + m.Fit }

// String gives the sum and its parts.
func (m Memory) String() string {
	text := Bytes(m.Total()) + " = sample " + Bytes(m.Sample)
	for _, part := range []struct {
		name  string
		bytes int64
	}{{"Gram matrix", m.Gram}, {"its eigenpairs", m.Spectrum}, {"fit", m.Fit}, {"population", m.Population}} {
		if part.bytes > 0 {
			text += " + " + part.name + " " + Bytes(part.bytes)
		}
	}
	return text
}

// Bytes is a number of bytes to three digits, in KiB, MiB or GiB.
func Bytes(bytes int64) string {
	switch size := float64(bytes); {
	case size >= 999.5*(1<<20):
		return fmt.Sprintf("%.3g GiB", size/(1<<30))
	case size >= 999.5*(1<<10):
		return fmt.Sprintf("%.3g MiB", size/(1<<20))
	default:
		return fmt.Sprintf("%.3g KiB", size/(1<<10))
	}
}

// maxBytes keeps counts of absurd sizes within an int64.
const maxBytes = 1 << 58

func bytesOf(x float64) int64 { return int64(min(x, maxBytes)) }
