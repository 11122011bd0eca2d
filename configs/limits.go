package configs

// MaxRecords is the most records of a spec: points of its grid × methods × data
// sets and kernels × repeats. A plan of so many takes up to 3 GB, and the run and
// its report, which keep every record in memory, some 10 GB.
const MaxRecords = 10_000_000

// combinations is the number of points before equal ones are merged and skip is
// applied. A float64 does not overflow where an int does.
func (g Grid) combinations() float64 {
	count := 1.0
	for _, axis := range g.axes() {
		if len(axis) > 0 {
			count *= float64(len(axis[0].Values))
		}
	}
	return count
}

// checkSize refuses a grid that is too large to be expanded.
func (g Grid) checkSize() error {
	count, variables := g.combinations(), len(g.all())
	if count > maxPoints {
		return Errorf(g.Pos, "the grid has %s points, more than the limit of %d; use zip, fewer values, or several specs", FormatNumber(count), maxPoints)
	}
	if count*float64(variables) > maxCoords {
		return Errorf(g.Pos, "the grid has %s points of %d variables, more than the limit of %d values in all; use fewer variables or values", FormatNumber(count), variables, maxCoords)
	}
	return nil
}

// checkSize refuses a spec that asks for too many records, as far as that shows
// before the grid is expanded: skip may leave out any number of points.
func (s *Spec) checkSize() error {
	if err := s.Grid.checkSize(); err != nil || len(s.Grid.Skip) > 0 {
		return err
	}
	return s.CheckRecords(s.Grid.combinations() * float64(len(s.Methods)) * float64(len(s.Datasets)))
}

// CheckRecords refuses a spec whose repeats have so many records each that all
// repeats have more than MaxRecords. The problem is at the grid where one repeat is
// too many, else at repeats.
func (s *Spec) CheckRecords(each float64) error {
	switch {
	case each > MaxRecords:
		return Errorf(s.Grid.Pos, "one repeat has %s records (points of the grid x methods x data sets), more than the limit of %d for all repeats; use fewer values, or several specs", FormatNumber(each), MaxRecords)
	case each*float64(s.Repeats) > MaxRecords:
		return Errorf(s.RepeatsPos, "%d repeats of %s records (points of the grid x methods x data sets) are more than the limit of %d records; take at most %d repeats, or several specs",
			s.Repeats, FormatNumber(each), MaxRecords, int(MaxRecords/each))
	}
	return nil
}
