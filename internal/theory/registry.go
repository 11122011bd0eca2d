package theory

import "slices"

// Registry holds every theorem by its key.
var Registry = register(nyk(), rfk(), kjl(), skp(), kkm())

func register(papers ...[]Theorem) map[string]Theorem {
	all := map[string]Theorem{}
	for _, paper := range papers {
		for _, t := range paper {
			if t.Bound != nil {
				t.Trivial = trivials[t.Metric]
			}
			all[t.Key] = t
		}
	}
	return all
}

// Keys lists the theorems in the order of the papers: NYK, RFK, KJL, SKP, KKM,
// in each as the paper has them.
func Keys() []string {
	var keys []string
	for _, t := range slices.Concat(nyk(), rfk(), kjl(), skp(), kkm()) {
		keys = append(keys, t.Key)
	}
	return keys
}
