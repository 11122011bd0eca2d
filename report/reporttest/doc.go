// Package reporttest has a run, verdicts and plots with everything that a report has to
// tell, for the tests of the report's packages.
package reporttest
