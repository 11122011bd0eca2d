package cmd

import (
	"encoding/json"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"mercer/report"
)

// printJSON writes v for programs, indented.
func printJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// addJSON gives a command the flag --json, which forProgram asks for.
func addJSON(c *cobra.Command, usage string) { c.Flags().Bool("json", false, usage) }

// forProgram says whether JSON was asked for.
func forProgram(c *cobra.Command) bool {
	asked, err := c.Flags().GetBool("json")
	return err == nil && asked
}

// say prints text for people.
func say(c *cobra.Command, text string) error {
	_, err := io.WriteString(c.OutOrStdout(), text)
	return err
}

// answer prints v where JSON was asked for, else the text for people.
func answer(c *cobra.Command, v any, text func() string) error {
	if forProgram(c) {
		return printJSON(c.OutOrStdout(), v)
	}
	return say(c, text())
}

// tableOptions are those of tables for w: as wide as it, coloured on a terminal.
func tableOptions(w io.Writer) report.TableOptions {
	options := report.TableOptions{Width: 100, Color: colored(w)}
	if file, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			options.Width = width
		}
	}
	return options
}

// colored says whether what is written may have colours.
func colored(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd())) && os.Getenv("NO_COLOR") == ""
}
