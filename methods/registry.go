package methods

import "fmt"

// Registry holds every method by the name that specs use. Those that find
// components order them, so that the first ℓ of a fit are the fit at ℓ, and one
// fit serves every ℓ; but for those whose entry says PerEll.
var Registry = map[string]Entry{}

// register adds a method to the registry, from its own file. It returns the entry, so that a
// variable of the package can be set to it.
func register(name string, e Entry) Entry {
	if _, taken := Registry[name]; taken {
		panic(fmt.Sprintf("methods: two methods are called %s", name))
	}
	Registry[name] = e
	return e
}
