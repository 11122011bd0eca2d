package claims

import (
	"encoding/json"
	"math"

	"mercer/internal/plain"
)

// nullable is a float64 whose JSON is null where it is NaN or infinite, which
// means in a verdict that it is not known or not bounded.
type nullable float64

// MarshalJSON writes null for what JSON has no number for.
func (x nullable) MarshalJSON() ([]byte, error) {
	if !plain.Finite(float64(x)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

type (
	verdictFields Verdict
	cellFields    CellOutcome
)

// asJSON is v with numbers that may be null, for encoding and decoding alike.
func (v *Verdict) asJSON() any {
	return &struct {
		*verdictFields
		Estimate *nullable `json:"estimate"`
		Low      *nullable `json:"low"`
		High     *nullable `json:"high"`
		Target   *nullable `json:"target"`
	}{(*verdictFields)(v), (*nullable)(&v.Estimate), (*nullable)(&v.Low), (*nullable)(&v.High), (*nullable)(&v.Target)}
}

func (c *CellOutcome) asJSON() any {
	return &struct {
		*cellFields
		Estimate *nullable `json:"estimate"`
		Low      *nullable `json:"low"`
		High     *nullable `json:"high"`
		Target   *nullable `json:"target"`
	}{(*cellFields)(c), (*nullable)(&c.Estimate), (*nullable)(&c.Low), (*nullable)(&c.High), (*nullable)(&c.Target)}
}

// MarshalJSON writes v with null for numbers that are not known.
func (v Verdict) MarshalJSON() ([]byte, error) { return json.Marshal(v.asJSON()) }

// MarshalJSON writes c with null for numbers that are not known.
func (c CellOutcome) MarshalJSON() ([]byte, error) { return json.Marshal(c.asJSON()) }

// UnmarshalJSON reads what MarshalJSON wrote; null becomes NaN.
func (v *Verdict) UnmarshalJSON(text []byte) error {
	nan := math.NaN()
	v.Estimate, v.Low, v.High, v.Target = nan, nan, nan, nan // which null leaves
	return json.Unmarshal(text, v.asJSON())
}

// UnmarshalJSON reads what MarshalJSON wrote; null becomes NaN.
func (c *CellOutcome) UnmarshalJSON(text []byte) error {
	nan := math.NaN()
	c.Estimate, c.Low, c.High, c.Target = nan, nan, nan, nan
	return json.Unmarshal(text, c.asJSON())
}
