// Command generate writes the assembly of package vector and the Go declarations
// that belong to it, with the constants of that package.
//
// It is run from its own folder, by go generate in the folder above:
//
//	go run .
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// out is the folder of package vector.
const out = ".."

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	c, err := readConstants()
	if err != nil {
		log.Fatal(err)
	}
	families := []struct {
		name string
		emit func(*build.Context)
	}{
		{"exp", func(ctx *build.Context) {
			emitExp(ctx, avx512, c)
			emitExp(ctx, avx2, c)
		}},
		{"sincos", func(ctx *build.Context) {
			emitSincos(ctx, avx512, c)
			emitSincos(ctx, avx2, c)
		}},
		{"pack", func(ctx *build.Context) {
			emitPack(ctx, avx2)
			for _, set := range []lanes{avx512, avx2} {
				emitColumns(ctx, set)
				emitSqueeze(ctx, set)
			}
		}},
		{"tile", func(ctx *build.Context) {
			for vectors := 1; vectors <= 3; vectors++ {
				for rows := 1; rows <= 8; rows *= 2 {
					emitTile(ctx, avx512, rows, vectors)
				}
				for rows := 1; rows <= 4; rows *= 2 {
					emitTile(ctx, avx2, rows, vectors)
				}
				emitSteps(ctx, avx512, vectors)
				emitSteps(ctx, avx2, vectors)
			}
		}},
	}
	for _, family := range families {
		if err := write(family.name, family.emit); err != nil {
			log.Fatal(err)
		}
	}
}

// write compiles what emit puts into a context to name_amd64.s and
// name_amd64.go.
func write(name string, emit func(*build.Context)) error {
	ctx := build.NewContext()
	ctx.ConstraintExpr("!purego")
	emit(ctx)
	file, err := ctx.Result()
	if err != nil {
		return err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	config := printer.Config{Name: "internal/linalg/vector/generate", Pkg: "vector"}
	assembly, err := printer.NewGoAsm(config).Print(file)
	if err != nil {
		return err
	}
	stubs, err := printer.NewStubs(config).Print(file)
	if err != nil {
		return err
	}
	for suffix, text := range map[string][]byte{".s": assembly, ".go": stubs} {
		text = bytes.TrimRight(text, "\n")
		path := filepath.Join(out, name+"_amd64"+suffix)
		if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	return nil
}
