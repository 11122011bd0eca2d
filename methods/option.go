package methods

import (
	"reflect"
	"strings"

	"mercer/methods/landmark"
)

// OptionOf is the value of an option that is a word, such as center or landmarks,
// of which it is the rule, with "with replacement" after it where that is asked;
// false where there is no such option.
func OptionOf(o Options, name string) (string, bool) {
	v := reflect.Indirect(reflect.ValueOf(o))
	for _, field := range reflect.VisibleFields(v.Type()) {
		if key, _, _ := strings.Cut(field.Tag.Get("yaml"), ","); key != name {
			continue
		}
		switch value := v.FieldByIndex(field.Index).Interface().(type) {
		case string:
			return value, true
		case landmark.Options:
			rule, _ := value.Entry()
			if value.Replacement {
				rule += " with replacement"
			}
			return rule, true
		}
	}
	return "", false
}

// LevelOf is the level of a method's landmarks; false where it has no landmarks.
func LevelOf(o Options) (float64, bool) {
	field := reflect.Indirect(reflect.ValueOf(o)).FieldByName("Landmarks")
	if !field.IsValid() {
		return 0, false
	}
	landmarks, ok := field.Interface().(landmark.Options)
	return landmarks.Level, ok
}
