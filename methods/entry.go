package methods

import "fmt"

// Registry holds every method by the name that specs use. Those that find
// components order them, so that the first ℓ of a fit are the fit at ℓ, and one
// fit serves every ℓ; but for those whose traits say PerEll.
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

// Entry is a method that specs can name, whatever its parameters.
type Entry struct {
	Label     string         // what figures and tables call it; empty for what has no name of its own
	Doc       string         // what it computes
	Reference string         // paper key and place
	Cost      string         // flops and memory in n, m, D, ℓ
	Accuracy  string         // how far results are from exact ones, and of what
	Version   string         // changes whenever results change
	Plain     string         // the parameters of a plain use, as in a spec; empty where the defaults serve
	New       func() Options // options that hold the defaults
}

// Options are a method's parameters in a spec.
type Options interface {
	// Method checks the parameters and returns the method.
	Method() (Method, error)
	// Traits are those of the method with these parameters, also where Method refuses them.
	Traits() Traits
}
