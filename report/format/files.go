package format

// Names of what a report's folder holds.
const (
	ReportFile    = "report.md"
	PageFile      = "index.html"
	VerdictsTable = "tables/verdicts.csv"
	SummaryTable  = "tables/summary.csv"
	AnswersTable  = "tables/targets.csv"
	FiguresFolder = "figures"
	TablesFolder  = "tables"
)
