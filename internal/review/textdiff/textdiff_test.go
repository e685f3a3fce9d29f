package textdiff_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/textdiff"
)

// shown is a diff as a text.
func shown(lines []textdiff.Line) string {
	var b strings.Builder
	for _, l := range lines {
		switch {
		case l.Sign == textdiff.Skipped:
			fmt.Fprintf(&b, "@%d\n", l.Lines)
		case l.IsPart():
			fmt.Fprintf(&b, "%s[%d:%d of %d]%s\n", l.Sign, l.From, l.To, l.Length, l.Text)
		default:
			b.WriteString(string(l.Sign) + l.Text + "\n")
		}
	}
	return b.String()
}

// numbered are lines with their numbers.
func numbered(n int, others map[int]string) string {
	var b strings.Builder
	for i := range n {
		text, ok := others[i]
		if !ok {
			text = fmt.Sprintf("line %d\n", i)
		}
		b.WriteString(text)
	}
	return b.String()
}

func TestOf(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1000)
	beside := strings.Repeat("a", 80)
	for name, test := range map[string]struct {
		before, after, want string
		most, left          int
	}{
		"the same":            {"a\nb\n", "a\nb\n", "", 100, 0},
		"a line in a text":    {numbered(100, nil), numbered(100, map[int]string{50: "evil\n"}), "@48\n line 48\n line 49\n-line 50\n+evil\n line 51\n line 52\n@47\n", 100, 0},
		"two places":          {numbered(30, nil), numbered(30, map[int]string{3: "", 20: "x\nline 20\n"}), "@1\n line 1\n line 2\n-line 3\n line 4\n line 5\n@12\n line 18\n line 19\n+x\n line 20\n line 21\n@8\n", 200, 0},
		"near each other":     {numbered(8, nil), numbered(8, map[int]string{2: "x\n", 5: "y\n"}), " line 0\n line 1\n-line 2\n+x\n line 3\n line 4\n-line 5\n+y\n line 6\n line 7\n", 200, 0},
		"the end":             {"a\nb", "a\nb\nc\n", " a\n-b\n+b\n+c\n", 100, 0},
		"no room":             {numbered(9, nil), numbered(9, map[int]string{2: "x\n", 5: strings.Repeat("y", 60) + "\n"}), " line 0\n line 1\n-line 2\n+x\n line 3\n line 4\n-line 5\n@1\n", 44, 1},
		"in a long line":      {long + "good" + long, long + "evil" + long, "-[920:1084 of 2004]" + beside + "good" + beside + "\n+[920:1084 of 2004]" + beside + "evil" + beside + "\n", 1000, 0},
		"a long line is new":  {"a\n", "a\n" + long, " a\n+[0:400 of 1000]" + strings.Repeat("a", 400) + "\n", 1000, 1},
		"a long line of many": {"a\n" + long + "x\nb\n", "a\n" + long + "y\nb\n", " a\n-[920:1001 of 1001]" + beside + "x\n+[920:1001 of 1001]" + beside + "y\n b\n", 1000, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines, left := textdiff.Of(test.before, test.after, test.most)
			if got := shown(lines); got != test.want || left != test.left {
				t.Errorf("%d left:\n%s\nwant %d:\n%s", left, got, test.left, test.want)
			}
		})
	}
}

// TestInTime: a diff of long texts that have nothing in common ends.
func TestInTime(t *testing.T) {
	t.Parallel()
	const n = 200_000
	odd, even := map[int]string{}, map[int]string{}
	for i := range n {
		odd[i], even[i] = fmt.Sprint(2*i+1, "\n"), fmt.Sprint(2*i, "\n")
	}
	start := time.Now()
	textdiff.Of(numbered(n, odd), numbered(n, even), 1000)
	textdiff.Of(numbered(n, odd), numbered(n, map[int]string{7: "x\n"}), 1000)
	textdiff.Of(strings.Repeat("a\nb\n", n), strings.Repeat("b\na\nc\n", n), 1000)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("%s", took)
	}
}
