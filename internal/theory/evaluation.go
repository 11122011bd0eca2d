package theory

import "math"

// Evaluation is a condition with its numbers, for readers and programs: Left Relation
// Right, with the values L and R, nil where they are not finite. Text is all of it.
type Evaluation struct {
	Text     string   `json:"text"`
	Holds    bool     `json:"holds"`
	Left     string   `json:"left"`
	L        *float64 `json:"l"`
	Relation string   `json:"relation"`
	Right    string   `json:"right"`
	R        *float64 `json:"r"`
}

// Evaluate gives conditions with their numbers.
func Evaluate(conditions []Condition) []Evaluation {
	list := []Evaluation{}
	for _, c := range conditions {
		list = append(list, Evaluation{Text: c.String(), Holds: c.Holds(), Left: c.Left, L: finiteOrNil(c.L),
			Relation: string(c.Relation), Right: c.Right, R: finiteOrNil(c.R)})
	}
	return list
}

func finiteOrNil(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
