// Package page turns the Markdown of a report into one HTML file that needs no other.
//
//  1. [Escape] and [Code] write texts from outside as Markdown that shows them as they are.
//  2. [Html] has goldmark make HTML of the Markdown. Raw HTML in it is left out, and nothing from
//     outside can be a link.
//  3. Images are replaced by the figures that they name, and sections fold. report.js sorts and
//     filters the tables.
package page
