package page

import "strings"

// Escape makes a text on one line show as it is in Markdown: nothing in it is read as markup, but
// for a number or a hyphen that makes an item of it.
func Escape(s string) string { return markup.Replace(s) }

var markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`, "~", `\~`, "$", `\$`, "<", `\<`, "](", `\](`, "][", `\][`, "]:", `\]:`, "&", `\&`, "#", `\#`, ">", `\>`)

// Code shows a name on one line as code; "" for none.
func Code(s string) string {
	switch {
	case s == "":
		return ""
	case strings.ContainsAny(s, "`|"):
		return Escape(s)
	}
	return "`" + s + "`"
}

// Fence is a command as a block of code, between fences longer than any in it.
func Fence(command string) string {
	fence := "```"
	for strings.Contains(command, fence) {
		fence += "`"
	}
	return fence + "sh\n" + command + "\n" + fence
}

// Outcome is a mark of an outcome that [Html] reads. It is a link, which no text from outside can be.
func Outcome(words string) string { return "[" + Escape(words) + "](" + outcomeLink + ")" }

const outcomeLink = "outcome:"
