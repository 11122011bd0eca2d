package methodtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mercer/data"
	"mercer/kernel"
	"mercer/methods"
)

// Subject is a method and what is promised of it.
type Subject struct {
	Method methods.Method
	// Shape of its models, as the registry names it.
	Shape string
	// Center is how it estimates a covariance: "u", "v" or "none". Of no
	// meaning for the population's own eigenspace.
	Center string
	// Centred says that its components' coefficients sum to 0, whatever Center is.
	Centred bool
	// Random says that another stream gives another model.
	Random bool
	// Kernel that the method is bound to, on points of [0,1]; nil for a method
	// of all shift-invariant kernels at least.
	Kernel kernel.Kernel
	// Population whose eigenspace the method hands over; nil for methods that
	// work on the sample.
	Population data.Population
	// Cubic says that a fit takes n³ operations: the largest sample is left out.
	Cubic bool
	// Refused are sizes that Check must refuse, and words of its reason.
	Refused []Refusal
}

// Refusal is a cell that a method cannot run.
type Refusal struct {
	Sizes methods.Sizes
	Says  string
}

// check is one promise. It returns what is broken, nil if nothing is.
type check struct {
	name   string
	sample bool // only for methods that work on the sample
	run    func(Subject) error
}

var checks = []check{
	{"models have the promised shape and size", false, checkShapes},
	{"components are orthonormal", false, onEachCase(orthonormal)},
	{"values fall and are not negative", false, onEachCase(falling)},
	{"values are the variances of uncorrelated components", true, onEachCase(uncorrelated)},
	{"center is the mean of the components over the sample", true, onEachCase(centre)},
	{"a population's eigenspace has its eigenvalues", false, checkPopulation},
	{"same stream, same bits", false, checkSameStream},
	{"another stream matters only where the method is random", false, checkOtherStream},
	{"neither the order of fits nor concurrency matters", false, checkOrder},
	{"inputs are left as they are", false, checkInputs},
	{"a shared Gram matrix serves as well as an own one", true, checkSharedGram},
	{"the first components of a fit are the smaller fit", false, checkNested},
	{"constant data has no component but the mean", true, checkConstant},
	{"rank below ell keeps fewer components and warns", true, checkRankCut},
	{"sizes that cannot be met are refused with a reason", false, checkRefusals},
	{"no sample, no number: NaN is an error", true, checkNaN},
	{"a context that ends stops the fit", false, checkCancelled},
	{"phases are started by their names and stopped", false, checkPhases},
	{"features average to the kernel", true, checkFeatures},
}

// Run holds a method to every check, one subtest each. It takes about a second.
func Run(t *testing.T, s Subject) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if c.sample && s.Population != nil {
				t.Skip("the method does not look at the sample")
			}
			if err := guarded(c, s); err != nil {
				t.Error(err)
			}
		})
	}
}

// Failures returns which of the named checks s fails, each with its reason; an
// unknown name fails too.
func Failures(s Subject, names ...string) map[string]error {
	failed := map[string]error{}
	for _, name := range names {
		i := slices.IndexFunc(checks, func(c check) bool { return c.name == name })
		if i < 0 {
			failed[name] = errors.New("no such check")
		} else if err := guarded(checks[i], s); err != nil {
			failed[name] = err
		}
	}
	return failed
}

// guarded turns a panic of a check into its failure.
func guarded(c check, s Subject) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return c.run(s)
}

func checkRefusals(s Subject) error {
	var broken []string
	for _, r := range s.Refused {
		k := s.kernelOr(kernel.NewGaussian(1))
		err := s.Method.Check(k, r.Sizes)
		switch {
		case err == nil:
			broken = append(broken, fmt.Sprintf("%+v is not refused", r.Sizes))
		case !strings.Contains(err.Error(), r.Says):
			broken = append(broken, fmt.Sprintf("%+v is refused with %q, want a reason that says %q", r.Sizes, err, r.Says))
		}
	}
	return joined(broken)
}

func (s Subject) kernelOr(k kernel.Kernel) kernel.Kernel {
	if s.Kernel != nil {
		return s.Kernel
	}
	return k
}

// joined is an error of all lines, nil if there are none.
func joined(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	slices.Sort(lines)
	return fmt.Errorf("%s", strings.Join(lines, "\n"))
}
