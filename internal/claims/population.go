package claims

import (
	"errors"
	"fmt"
	"math"

	"mercer/internal/theory"
	"mercer/results"
)

// population is what a record was measured against; where it cannot be had, a
// population that answers nothing but tells that it was asked: a theorem that
// asks no population can still be judged.
func (j *judge) population(r *results.Record) theory.Population {
	err := errors.New("nothing here opens data sets")
	if j.world.Population != nil {
		var p theory.Population
		if p, err = j.world.Population(r.Dataset, r.Kernel, r.Repeat); err == nil {
			return p
		}
	}
	return &missingPopulation{err: fmt.Errorf("the population of %s cannot be had: %w", r.Dataset, err)}
}

// missingPopulation answers every question with its error.
type missingPopulation struct {
	err   error
	asked bool
}

var _ theory.Population = (*missingPopulation)(nil)

func (m *missingPopulation) ask() error { m.asked = true; return m.err }

func (m *missingPopulation) Error() string  { return m.err.Error() }
func (m *missingPopulation) Unwrap() error  { return m.err }
func (m *missingPopulation) String() string { return "a population that is not at hand" }

func (m *missingPopulation) Kappa() float64 {
	m.asked = true
	return math.NaN()
}

func (m *missingPopulation) Eigenvalues(int) ([]float64, error)          { return nil, m.ask() }
func (m *missingPopulation) Tail(int, int) (float64, error)              { return 0, m.ask() }
func (m *missingPopulation) EffectiveDimension(float64) (float64, error) { return 0, m.ask() }
func (m *missingPopulation) MaxLeverage(float64) (float64, error)        { return 0, m.ask() }
func (m *missingPopulation) UncentredEigenvalues(int) ([]float64, error) { return nil, m.ask() }
func (m *missingPopulation) UncentredSum(int) (float64, error)           { return 0, m.ask() }
