package exec

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"
)

// Options are the parameters of a program, whatever it is asked for.
type Options struct {
	Command []string          `yaml:"command" fixed:"true" required:"true" minlen:"1" doc:"the program and its arguments; {dir} is the directory of the spec; a relative program path starts there too. run and submit run this program; plan, validate and show do not"`
	Timeout time.Duration     `yaml:"timeout" json:"-" doc:"time limit of one request (a fit, a call) without the start of the program (default 10m, 0 for none), after which the program and all it started are killed"`
	Version string            `yaml:"version" fixed:"true" doc:"raise it when results change but no file of the command does"`
	Env     map[string]string `yaml:"env" fixed:"true" doc:"environment variables to set for the program; {dir} as in command"`

	Files   map[string]string `yaml:"-"` // SHA-256 of the files that the command names, by its word; nil before Find
	command *Command
}

// DefaultOptions have ten minutes and version 1.
func DefaultOptions() Options { return Options{Timeout: 10 * time.Minute, Version: "1"} }

// Check says what is wrong with the parameters.
func (o *Options) Check() error {
	switch {
	case len(o.Command) == 0 || o.Command[0] == "":
		return errors.New("command: the first entry names the program")
	case strings.ContainsRune(strings.Join(o.Command, ""), 0):
		return errors.New("command: a word holds a zero byte")
	case o.Timeout < 0:
		return fmt.Errorf("timeout %v: must not be negative", o.Timeout)
	}
	for name, value := range o.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00") {
			return fmt.Errorf("env: %q=%q cannot be set", name, value)
		}
	}
	return nil
}

// Commands are the programs that a plan has found, by what they run.
type Commands map[string]*Command

// Close ends the processes of all that serve nothing.
func (c Commands) Close() (err error) {
	for _, command := range c {
		err = errors.Join(err, command.Close())
	}
	return err
}

// Finder is a part of options that names a program or a file beside the spec, whose directory
// is dir. What it finds is then in its JSON, which says what determines results.
type Finder interface {
	Find(dir string, into Commands) error
}

// Find finds the program, and adds it to those that are known, unless it is among them.
func (o *Options) Find(dir string, into Commands) error {
	c, err := Find(dir, o.Command, o.Env)
	if err != nil {
		return err
	}
	c.Timeout, o.Files = o.Timeout, map[string]string{}
	for _, f := range c.Files {
		o.Files[f.Word] = f.SHA256
	}
	key := fmt.Sprintf("%q %q %v", c.Words, c.Env, c.Timeout)
	if into[key] == nil {
		into[key] = c
	}
	o.command = into[key]
	return nil
}

// FindAll calls all Finders in options, and says whether there are any.
func FindAll(dir string, options any, into Commands) (found bool, err error) {
	var look func(v reflect.Value)
	look = func(v reflect.Value) {
		if v.CanAddr() {
			if f, ok := v.Addr().Interface().(Finder); ok {
				found, err = true, errors.Join(err, f.Find(dir, into))
				return
			}
		}
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				look(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				look(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					look(v.Field(i))
				}
			}
		}
	}
	look(reflect.ValueOf(options))
	return found, err
}

// Failed is what goes wrong with a program where there is no error to return: what asks for the
// values of its kernel panics with it.
type Failed struct{ Err error }

func (f Failed) Error() string { return f.Err.Error() }

// Unwrap is the error.
func (f Failed) Unwrap() error { return f.Err }

// Take is [Command.Take] of the program. It panics unless this was found.
func (o *Options) Take(ctx context.Context, threads int) (*Program, error) {
	if o.command == nil {
		panic("exec: a program is asked that was not found")
	}
	return o.command.Take(ctx, threads)
}

// Call asks a process of the program, on one thread, with arrays in files of these names. The
// answer is to have some of the keys.
func (o *Options) Call(ctx context.Context, request Request, arrays map[string]mat.Matrix, takes ...string) (answer Answer, err error) {
	p, err := o.Take(ctx, 1)
	if err != nil {
		return answer, err
	}
	for name, array := range arrays {
		err = errors.Join(err, p.Scratch.Write(name, array))
	}
	if err == nil {
		answer, err = p.Ask(ctx, request, takes, nil)
	}
	return answer, errors.Join(err, p.Put())
}
