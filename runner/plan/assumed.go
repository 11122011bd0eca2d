package plan

import (
	"mercer/configs"
	"mercer/configs/source"
	"mercer/internal/kernel"
	"mercer/methods"
)

// assumedMethod is a method whose parameters are not sound, with those of a plain use in
// their place, so that measures and sizes can be checked all the same; false where that is
// no method either, or where it would have to be opened. The problems are known already.
func assumedMethod(c configs.Component, entry methods.Entry) (ResolvedMethod, bool) {
	options := entry.New()
	plainUse, err := source.Params(c.Kind, c.ID, "{"+entry.Plain+"}")
	if err != nil {
		return ResolvedMethod{}, false
	}
	for _, params := range []configs.Params{plainUse, c.Params} {
		_, _ = params.Bind(options, nil) // as far as it goes
	}
	method, err := options.Method()
	if _, opens := method.(methods.Opener); opens || err != nil {
		return ResolvedMethod{}, false
	}
	return ResolvedMethod{Entry: entry.With(options), Use: c.Use.Value, Method: method, Options: options, assumed: true}, true
}

// assumedKernel is assumedMethod for a kernel.
func assumedKernel(c configs.Component, entry kernel.Entry) (kernel.Options, bool) {
	options := entry.New()
	plainUse, err := source.Params(c.Kind, c.ID, "{bandwidth: {median: 1}, form: two-sigma-squared}")
	if err != nil {
		return nil, false
	}
	for _, params := range []configs.Params{plainUse, c.Params} {
		_, _ = params.Bind(options, nil) // as far as it goes: not every kernel has these keys
	}
	_, err = options.Build(anyDistances{})
	return options, err == nil
}
