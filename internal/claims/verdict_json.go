package claims

import (
	"encoding/json"
	"math"
)

// nullable is a float64 whose JSON is null where it is NaN or infinite, which
// means in a verdict that it is not known or not bounded.
type nullable float64

// MarshalJSON writes null for what JSON has no number for.
func (x nullable) MarshalJSON() ([]byte, error) {
	if v := float64(x); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// UnmarshalJSON reads null as NaN.
func (x *nullable) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*x = nullable(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(x))
}

type verdictFields Verdict

type verdictJSON struct {
	*verdictFields
	Estimate nullable `json:"estimate"`
	Low      nullable `json:"low"`
	High     nullable `json:"high"`
	Target   nullable `json:"target"`
}

// MarshalJSON writes v with null for numbers that are not known.
func (v Verdict) MarshalJSON() ([]byte, error) {
	fields := verdictFields(v)
	return json.Marshal(verdictJSON{&fields, nullable(v.Estimate), nullable(v.Low), nullable(v.High), nullable(v.Target)})
}

// UnmarshalJSON reads what MarshalJSON wrote; null becomes NaN.
func (v *Verdict) UnmarshalJSON(text []byte) error {
	in := verdictJSON{verdictFields: (*verdictFields)(v)}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	v.Estimate, v.Low, v.High, v.Target = float64(in.Estimate), float64(in.Low), float64(in.High), float64(in.Target)
	return nil
}

type cellFields CellOutcome

type cellJSON struct {
	*cellFields
	Estimate nullable `json:"estimate"`
	Low      nullable `json:"low"`
	High     nullable `json:"high"`
	Target   nullable `json:"target"`
}

// MarshalJSON writes c with null for numbers that are not known.
func (c CellOutcome) MarshalJSON() ([]byte, error) {
	fields := cellFields(c)
	return json.Marshal(cellJSON{&fields, nullable(c.Estimate), nullable(c.Low), nullable(c.High), nullable(c.Target)})
}

// UnmarshalJSON reads what MarshalJSON wrote; null becomes NaN.
func (c *CellOutcome) UnmarshalJSON(text []byte) error {
	in := cellJSON{cellFields: (*cellFields)(c)}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	c.Estimate, c.Low, c.High, c.Target = float64(in.Estimate), float64(in.Low), float64(in.High), float64(in.Target)
	return nil
}
