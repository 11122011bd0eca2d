// Package page holds what a report says as blocks, and writes these as Markdown, as one
// HTML file that needs no other, and their tables as LaTeX.
//
//  1. Sections append headings, paragraphs, lists, tables and figures to a [Page].
//  2. Texts from outside go through [Escape] or [Code] first. What is strong, a link or an
//     outcome is marked by characters of Unicode's private use, which no text from outside
//     keeps, so that nothing in a spec is read as markup.
//  3. Markdown, HTML and LaTeX take the same blocks, so they say the same.
package page
