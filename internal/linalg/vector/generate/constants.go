package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
)

// constants are the numbers in exp and sincos, by their names in constants.go of package
// vector; polynomials have several, in ascending powers.
type constants map[string][]float64

func readConstants() (constants, error) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(out, "constants.go"), nil, 0)
	c := constants{}
	name, sign := "", 1.0
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			name = n.Names[0].Name
		case *ast.UnaryExpr:
			sign = -1
		case *ast.BasicLit:
			if value, err := strconv.ParseFloat(n.Value, 64); err == nil && n.Kind == token.FLOAT {
				c[name] = append(c[name], sign*value)
				sign = 1
			}
		}
		return err == nil
	})
	return c, err
}

// of is a constant.
func (c constants) of(name string) float64 { return c[name][0] }
