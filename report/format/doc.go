// Package format writes numbers, names and coordinates as a reader of a report sees
// them: with the digits that an interval gives meaning to, on one line, without
// characters that steer a terminal.
package format
