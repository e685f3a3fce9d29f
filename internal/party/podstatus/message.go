package podstatus

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
)

// width is that of a line of a message, with its prefix: a terminal of 80 columns does not wrap it.
const width = 76

var (
	// escape is one that a program writes for JSON within a text, at any level.
	escape = regexp.MustCompile(`\\+(["'/nrt])`)
	// frame is a line of a stack of calls, which says nothing to those who configure a program.
	frame = regexp.MustCompile(`^\s*(#\d+\s|at\s+\S+\(|\S+\.go:\d+)`)
	// logged is what a line of a log begins with: its time and level.
	logged = regexp.MustCompile(`^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\s\]]*\]?\s+(?:\[?(?i:debug|info|warn|warning|error|critical|fatal)\]?:?\s+)?`)
	// stack announces a stack of calls.
	stack = regexp.MustCompile(`,?\s*stack:\s*$`)
)

// tail is the least length of a message that may be the end of a log, of which Kubernetes keeps
// 2 KiB, and of which another masker may have made less.
const tail = 1 << 10

// messageLines are the lines of a message of a program, without secrets, escapes and empty lines.
// What a long one begins with may be the end of a secret, which cannot be found, so it is left out.
func messageLines(text string, masker httpapi.Masker) (lines []string) {
	if len(text) >= tail && !strings.HasPrefix(text, "…") {
		_, text, _ = strings.Cut(strings.Replace(text, "\n", " \n", 1), " ")
		text = "… " + text
	}
	text = masker.Text(text)
	text = escape.ReplaceAllStringFunc(text, func(found string) string {
		switch last := found[len(found)-1:]; last {
		case "n", "r":
			return "\n"
		case "t":
			return " "
		default:
			return last
		}
	})
	text = httpapi.NewMasker(secrets.Logged(text)...).Mask(text)
	for line := range strings.Lines(masker.Text(text)) {
		line = strings.TrimRight(strings.TrimPrefix(line, printable.Prefix), " \t\n")
		if strings.TrimSpace(line) != "" {
			lines = append(lines, strings.ReplaceAll(line, "\t", " "))
		}
	}
	return lines
}

// wrapped breaks lines into such that are at most width long with the prefix, at spaces, and what
// has none after a punctuation mark.
func wrapped(lines []string) (out []string) {
	const most = width - len(printable.Prefix)
	for _, line := range lines {
		for utf8.RuneCountInString(line) > most {
			end := breakAt(line, most)
			out = append(out, printable.Prefix+strings.TrimRight(line[:end], " "))
			line = strings.TrimLeft(line[end:], " ")
		}
		if line != "" {
			out = append(out, printable.Prefix+line)
		}
	}
	return out
}

// breakAt is where a line that is longer than most characters is broken.
func breakAt(line string, most int) int {
	end, runes := len(line), 0
	for i := range line {
		if runes == most {
			end = i
			break
		}
		runes++
	}
	if space := strings.LastIndexByte(line[:end+1], ' '); space > end/2 {
		return space
	}
	if mark := strings.LastIndexAny(line[:end], ",;:{}[]()/=&?"); mark > end/2 {
		return mark + 1
	}
	return end
}

// essence are the lines of a log that say something to those who configure a program: without
// times, and without the stack of calls that may follow an error.
func essence(lines []string) (out []string) {
	for _, line := range lines {
		if !frame.MatchString(line) {
			out = append(out, stack.ReplaceAllString(logged.ReplaceAllString(line, ""), ""))
		}
	}
	return out
}

// lastLines are the last lines of a message, at most a number of them: the error at the end of a log.
func lastLines(lines []string, most int) []string {
	if most <= 0 {
		return nil
	}
	var shown []string
	for i := len(lines) - 1; i >= 0; i-- {
		whole := wrapped(lines[i : i+1])
		switch {
		case len(shown)+len(whole) <= most:
			shown = append(whole, shown...)
			continue
		case len(shown) == 0:
			shown = whole[:most]
			shown[most-1] = cut(shown[most-1]+" …", width)
		}
		if i < len(lines)-1 || i > 0 {
			shown[0] = printable.Prefix + "… " + strings.TrimPrefix(shown[0], printable.Prefix)
		}
		break
	}
	return shown
}

// cut is a text of at most a number of characters. A shorter one is whole.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(strings.TrimSuffix(text, " …"))
	return strings.TrimRight(string(runes[:min(len(runes), most-2)]), " ") + " …"
}
