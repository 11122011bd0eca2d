package metrics

import "math"

// bestMatching is the largest sum of values (rows×columns) over one-to-one matchings of rows with
// columns, of which the shorter side is matched whole: r²c operations for r ≤ c. E.g. 5 of
//
//	1 3
//	2 2
//
// Rows are matched one after another, each by the cheapest path of exchanges; u and v are the
// prices of the dual problem.
//
// Reference: Kuhn 1955; Jonker & Volgenant 1987.
func bestMatching(values [][]float64) float64 {
	if len(values) == 0 {
		return 0
	}
	if len(values) > len(values[0]) {
		values = transposed(values)
	}
	rows, columns := len(values), len(values[0])
	u, v := make([]float64, rows+1), make([]float64, columns+1)
	rowOf := make([]int, columns+1) // of each column, from 1; 0 for none, and column 0 has the row that is new

	for row := 1; row <= rows; row++ {
		rowOf[0] = row
		least, from, done := make([]float64, columns+1), make([]int, columns+1), make([]bool, columns+1)
		for j := range least {
			least[j] = math.Inf(1)
		}
		at := 0
		for rowOf[at] != 0 {
			done[at] = true
			i, step, next := rowOf[at], math.Inf(1), 0
			for j := 1; j <= columns; j++ {
				if done[j] {
					continue
				}
				if cost := -values[i-1][j-1] - u[i] - v[j]; cost < least[j] {
					least[j], from[j] = cost, at
				}
				if least[j] < step {
					step, next = least[j], j
				}
			}
			for j := range done {
				if done[j] {
					u[rowOf[j]] += step
					v[j] -= step
				} else {
					least[j] -= step
				}
			}
			at = next
		}
		for at != 0 {
			rowOf[at] = rowOf[from[at]]
			at = from[at]
		}
	}

	sum := 0.0
	for j := 1; j <= columns; j++ {
		if i := rowOf[j]; i > 0 {
			sum += values[i-1][j-1]
		}
	}
	return sum
}

func transposed(values [][]float64) [][]float64 {
	turned := make([][]float64, len(values[0]))
	for j := range turned {
		for _, row := range values {
			turned[j] = append(turned[j], row[j])
		}
	}
	return turned
}
