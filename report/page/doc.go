// Package page turns the Markdown of a report into one HTML file that needs no other.
//
//  1. [Escape] and [Code] write texts from outside as Markdown that shows them as they are.
//  2. [Html] parses the Markdown by goldmark and writes each node itself: all texts are escaped,
//     raw HTML is text, links lead to files of the report alone.
//  3. Sections fold, tables are sorted and filtered by report.js, and images are replaced by the
//     figures that they name.
package page
