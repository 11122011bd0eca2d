package configs

// Ranking compares methods by their mean ranks over problems. A problem is a data set with a kernel;
// its cells and their repeats are averaged first.
type Ranking struct {
	Of    Quantity   `yaml:"of" metrics:"true" required:"true" doc:"The error, less being better: a metric, or an expression over metrics such as 1 - rand."`
	Where Conditions `yaml:"where" doc:"Columns fixed to one or several values: dataset, kernel, method, n, m, d, ell or a grid variable."`
	Pos   Pos        `yaml:"-"`
}
