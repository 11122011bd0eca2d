package misuse

import (
	"fmt"
	"reflect"
)

// Register adds an entry to a registry. It panics where the name is taken, and where a required
// field of the entry is empty.
func Register[E any](registry map[string]E, name string, e E, required ...string) {
	if _, taken := registry[name]; taken || name == "" {
		panic(fmt.Sprintf("%T %q: the name is taken, or empty", e, name))
	}
	for _, field := range required {
		if reflect.ValueOf(e).FieldByName(field).IsZero() {
			panic(fmt.Sprintf("%T %q: %s is missing", e, name, field))
		}
	}
	registry[name] = e
}
