package page

import (
	"strings"
	"unicode"
)

// Escape makes a text on one line show as it is in Markdown: nothing in it is read as markup.
func Escape(s string) string {
	runes := []rune(s)
	number := 0 // digits at the start, which a full stop makes a list
	for number < len(runes) && unicode.IsDigit(runes[number]) {
		number++
	}
	var b strings.Builder
	for i, r := range runes {
		before, after := ' ', ' '
		if i > 0 {
			before = runes[i-1]
		}
		if i+1 < len(runes) {
			after = runes[i+1]
		}
		item := number > 0 && i == number && (r == '.' || r == ')') && unicode.IsSpace(after)
		if item || markup(before, r, after, i == 0) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// markup says whether r could be read as markup between its neighbours; first says that it begins
// the text.
func markup(before, r, after rune, first bool) bool {
	switch r {
	case '\\', '`', '*', '|', '~', '$':
		return true
	case '_':
		return !wordRune(before) || !wordRune(after)
	case '<':
		return !unicode.IsSpace(after) && after != '='
	case '&':
		return after == '#' || unicode.IsLetter(after)
	case ']':
		return after == '(' || after == '[' || after == ':'
	case '[':
		return first && !unicode.IsDigit(after) && after != '-'
	case '#', '>':
		return first
	case '+', '-', '=':
		return first && !wordRune(after)
	}
	return false
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

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
