package cmd

import (
	"errors"
	"fmt"
	"image/png"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/data"
	"mercer/runner/plan"
)

func newDataImages() *cobra.Command {
	var out, parameters string
	var from, rows, columns int
	var seed uint64
	c := &cobra.Command{
		Use:   "images NAME",
		Short: "Write a PNG with images of a data set",
		Long: `Write a PNG with images of a data set, drawn as in a run: a point of D = s² numbers is
an image of s×s pixels. Images made from others (infinite-mnist) have their original
on the left.`,
		Example: `  mercer data images infinite-mnist --out digits.png
  mercer data images infinite-mnist --with 'amplitude: 2' --from 1000000`,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			entry, known := data.Registry[args[0]]
			if !known {
				return usage(errors.New(configs.Unknown("data set", args[0], "", slices.Sorted(maps.Keys(data.Registry)))))
			}
			options := entry.New()
			given, err := source.Params("dataset", args[0], parameters)
			if err == nil {
				_, err = given.Bind(options, nil)
			}
			if err != nil {
				return usage(err)
			}
			fixed, own := plan.FixedStreams(seed, args[0]), plan.RepeatStreams(seed, args[0], 0)
			dataset, err := options.Open(data.Context{Context: c.Context(), Dir: ".", Log: c.ErrOrStderr(), Streams: fixed})
			if err != nil {
				return err
			}
			draw, err := dataset.Draw(own)
			if err != nil {
				return err
			}
			sheet, err := data.ContactSheet(draw, from, rows, columns)
			if err != nil {
				return err
			}
			file, err := os.Create(out)
			if err != nil {
				return err
			}
			if err := errors.Join(png.Encode(file, sheet), file.Close()); err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), out)
			return err
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "images.png", "the PNG file")
	c.Flags().StringVar(&parameters, "with", "", "parameters of the data set, as in a spec: 'amplitude: 2'")
	c.Flags().IntVar(&from, "from", 0, "index of the first image")
	c.Flags().IntVar(&rows, "rows", 10, "rows of images")
	c.Flags().IntVar(&columns, "columns", 10, "columns of images")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed, as in a spec")
	return c
}
