// Package views computes what a report shows: plain structs without words of the reader's
// language, made by pure functions from a run, its verdicts and its figures.
//
//  1. [New] groups the verdicts by claim and reads the measurements once.
//  2. Each method of [Report] is a view, e.g. [Report.Verdicts] or [Report.Failures]: a [Table],
//     or what a template writes around one. A view is a file here.
//  3. The template of a view in report/templates has its words. It is the partial of the
//     same name in report.md.tmpl.
//  4. CSV tables for programs are in tables.go.
//
// Start with report.go.
package views
