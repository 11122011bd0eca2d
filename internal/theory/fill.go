package theory

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Fill gives a setting the numbers that a theorem is evaluated with: its defaults, the κ of
// its population for that of a sample, and what with has, by name. Open parameters that nothing gives are 1, and returned. unknown
// writes the error on a name that the theorem does not have.
func Fill(t Theorem, s *Setting, with map[string]string, unknown func(name string, known []string) string) (guessed []string, err error) {
	if s.Delta <= 0 || s.Delta >= 1 {
		return nil, fmt.Errorf("delta = %v: must lie strictly between 0 and 1", s.Delta)
	}
	maps.Copy(s.Given, t.Defaults)
	if slices.Contains(t.Uses, sampleKappa) {
		s.Given[sampleKappa] = s.Population.Kappa() // no sample has more
	}
	known := append(slices.Sorted(maps.Keys(t.Open)), t.Uses...)
	for _, name := range slices.Sorted(maps.Keys(with)) {
		if !slices.Contains(known, name) {
			return nil, errors.New(unknown(name, known))
		}
		if s.Given[name], err = strconv.ParseFloat(with[name], 64); err != nil {
			return nil, fmt.Errorf("%s=%s: not a number", name, with[name])
		}
	}
	var measured []string
	for _, name := range known {
		_, has := s.Given[name]
		switch {
		case has:
		case slices.Contains(t.Uses, name):
			measured = append(measured, name)
		default:
			s.Given[name], guessed = 1, append(guessed, name)
		}
	}
	if measured != nil {
		return nil, fmt.Errorf("%s is computed from %s, which a run measures: give them, --with %s=…", t.Reference, strings.Join(measured, ", "), strings.Join(measured, "=…,"))
	}
	return guessed, nil
}
