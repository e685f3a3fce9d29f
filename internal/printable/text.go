package printable

import (
	"regexp"
	"strings"
	"unicode"
)

// MaxMarks is the number of combining marks that a letter may have.
const MaxMarks = 2

// Prefix begins each line of a text of others but the first, which follows words of this
// program. A line that begins with a space is not wrapped by the CLI.
const Prefix = "  | "

// Clean removes what is invisible or changes how other characters are shown, and breaks up what
// a CI reads as a command. It keeps lines and tabs. It is for texts of this program in which
// there are texts of others, see Foreign.
func Clean(s string) string { return withoutVerdicts(WithoutCommands(visible(s))) }

// Foreign is Clean for a text of others alone: it has no empty lines, and each line but
// the first begins with Prefix, so that none looks like one of the CLI or of the CI.
func Foreign(s string) string {
	if s = visible(s); strings.Contains(s, "\n") {
		var lines []string
		for line := range strings.SplitSeq(s, "\n") {
			// A text may have been made harmless before.
			line = strings.TrimRight(strings.TrimPrefix(line, Prefix), " \t")
			if line != "" {
				lines = append(lines, line)
			}
		}
		s = strings.Join(lines, "\n"+Prefix)
	}
	return withoutVerdicts(WithoutCommands(s))
}

// visible replaces control characters by spaces, and removes what Invisible reports and all but
// the first combining marks of a letter.
func visible(s string) string {
	marks := 0
	return strings.Map(func(r rune) rune {
		isMark := unicode.In(r, unicode.Mn, unicode.Me)
		if !isMark {
			marks = 0
		}
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\u2028' || r == '\u2029':
			return '\n'
		case unicode.IsControl(r), unicode.Is(unicode.Zs, r):
			return ' '
		case Invisible(r):
			return -1
		case isMark:
			if marks++; marks > MaxMarks {
				return -1
			}
		}
		return r
	}, s)
}

// Invisible reports whether a character takes no place, changes how others are shown, or is
// a letter that looks like a space.
func Invisible(r rune) bool {
	if r <= unicode.MaxASCII { // in short
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
		r == '\u2800' || r == '\U0001d159' // blank Braille pattern, null notehead
}

var (
	// lineCommand begins a command of GitHub at the beginning of a line, before which there may
	// be spaces: the CLI wraps long lines, so that each word may begin one.
	lineCommand = regexp.MustCompile(`(^|\s)::(\pL)`)
	// bracketCommand begins a command of GitHub, Azure or TeamCity anywhere in a line.
	bracketCommand = regexp.MustCompile(`##(\w*\[)`)
	// verdict is what the CLI begins a line with that tells how a run has ended.
	verdict = regexp.MustCompile(`[ \t]+((?:Error|Warning|Plan):|(?:Apply|Destroy) complete!|No changes\.)`)
)

// WithoutCommands breaks up what a CI reads as a command.
func WithoutCommands(s string) string {
	if strings.Contains(s, "::") {
		s = lineCommand.ReplaceAllString(s, "$1: :$2")
	}
	if strings.Contains(s, "##") {
		s = bracketCommand.ReplaceAllString(s, "## $1")
	}
	return s
}

// withoutVerdicts keeps what looks like a line of the CLI from the beginning of a wrapped
// one, by a space that does not break.
func withoutVerdicts(s string) string {
	if !verdict.MatchString(s) {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		text, prefixed := strings.CutPrefix(line, Prefix)
		if prefixed {
			b.WriteString(Prefix) // such a line is not wrapped
		}
		b.WriteString(verdict.ReplaceAllString(text, "\u00a0$1"))
	}
	return b.String()
}
