package configs

// Dispersion claims sd(Method)/sd(To) <= AtMost or >= AtLeast, sd the standard deviation
// of a quantity over repeats, at each grid point. Its keys are those of a ratio.
type Dispersion struct{ Ratio }
