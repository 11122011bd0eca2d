package configs

import (
	"slices"
	"strings"
)

// checkCycles reports grid variables that depend on each other in a circle.
func (g Grid) checkCycles() error {
	_, err := g.order()
	return err
}

// order lists the variables so that each comes after those that any of its
// values refers to.
func (g Grid) order() ([]string, error) {
	s := &sorter{variables: map[string]Variable{}, state: map[string]int{}}
	all := g.all()
	for _, v := range all {
		s.variables[v.Name] = v
	}
	for _, v := range all {
		if err := s.visit(v.Name); err != nil {
			return nil, err
		}
	}
	return s.order, nil
}

// sorter is a depth-first search over the variables.
type sorter struct {
	variables map[string]Variable
	state     map[string]int // 1: on the path, 2: done
	path      []string
	order     []string
}

func (s *sorter) visit(name string) error {
	v, isVariable := s.variables[name]
	if !isVariable || s.state[name] == 2 {
		return nil
	}
	if s.state[name] == 1 {
		circle := append(slices.Clone(s.path[slices.Index(s.path, name):]), name)
		return Errorf(v.Pos, "grid variables depend on each other in a circle: %s", strings.Join(circle, " -> "))
	}
	s.state[name] = 1
	s.path = append(s.path, name)
	for _, value := range v.Values {
		if _, plain := value.Number(); plain {
			continue
		}
		for _, used := range Names(value) {
			if err := s.visit(used); err != nil {
				return err
			}
		}
	}
	s.path = s.path[:len(s.path)-1]
	s.state[name] = 2
	s.order = append(s.order, name)
	return nil
}
