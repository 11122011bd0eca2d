package format

// Names of what a report's folder holds.
const (
	ReportFile    = "report.md"
	ListFile      = "mercer-files.txt" // of all files of a report, one a line
	PageFile      = "index.html"
	VerdictsTable = "tables/verdicts.csv"
	SummaryTable  = "tables/summary.csv"
	AnswersTable  = "tables/targets.csv"
	FiguresFolder = "figures"
	TablesFolder  = "tables"
)
