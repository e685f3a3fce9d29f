package main_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	english = "README.md"
	chinese = "README.zh-CN.md"
)

// readme is what has to be the same in every language.
type readme struct {
	// headings are the levels of the headings, columns the numbers of columns
	// of the rows of tables, in order.
	headings, columns []int
	// code are the lines of code, without comments.
	code []string
	// links are the targets of links, sorted.
	links []string
	// names are what is set in code within the text, sorted, each once.
	names []string
}

var (
	comment  = regexp.MustCompile(`(^|\s+)# .*$`)
	link     = regexp.MustCompile(`\]\(([^)]+)\)`)
	codeSpan = regexp.MustCompile("`[^`]+`")
)

func readReadme(t *testing.T, file string) readme {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r readme
	inCode := false
	for line := range strings.Lines(string(content)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			inCode = !inCode
			r.code = append(r.code, line)
			continue
		case inCode:
			r.code = append(r.code, comment.ReplaceAllString(line, ""))
			continue
		case strings.HasPrefix(line, "#"):
			r.headings = append(r.headings, strings.IndexByte(line, ' '))
		case strings.HasPrefix(line, "|"):
			r.columns = append(r.columns, strings.Count(line, "|")-1)
		}
		for _, match := range link.FindAllStringSubmatch(line, -1) {
			r.links = append(r.links, match[1])
		}
		r.names = append(r.names, codeSpan.FindAllString(line, -1)...)
	}
	slices.Sort(r.links)
	slices.Sort(r.names)
	r.names = slices.Compact(r.names)
	return r
}

// TestReadmesAgree fails when one README has commands, links, names or rows
// that the other one has not.
func TestReadmesAgree(t *testing.T) {
	t.Parallel()
	en, zh := readReadme(t, english), readReadme(t, chinese)
	for i, target := range zh.links {
		if target == english {
			zh.links[i] = chinese
		}
	}
	slices.Sort(zh.links)
	for what, pair := range map[string][2][]string{
		"code":  {en.code, zh.code},
		"links": {en.links, zh.links},
		"names": {en.names, zh.names},
	} {
		for _, only := range missing(pair[0], pair[1]) {
			t.Errorf("%s: %q is in %s and not in %s", what, only, english, chinese)
		}
		for _, only := range missing(pair[1], pair[0]) {
			t.Errorf("%s: %q is in %s and not in %s", what, only, chinese, english)
		}
		if !slices.Equal(pair[0], pair[1]) && !t.Failed() {
			t.Errorf("%s: not the same order or number", what)
		}
	}
	if !slices.Equal(en.headings, zh.headings) {
		t.Errorf("levels of headings: %v, %v", en.headings, zh.headings)
	}
	if !slices.Equal(en.columns, zh.columns) {
		t.Errorf("columns of table rows: %v, %v", en.columns, zh.columns)
	}
}

// missing are the texts of a that b does not have.
func missing(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(text string) bool { return slices.Contains(b, text) })
}

// TestLinks: what the READMEs and the guides refer to is there.
func TestLinks(t *testing.T) {
	t.Parallel()
	pages := map[string]string{english: "", chinese: ""} // and the folder that they are in
	guides, err := filepath.Glob("templates/guides/*.md.tmpl")
	if err != nil || len(guides) == 0 {
		t.Fatal("no guides", err)
	}
	for _, guide := range guides {
		pages[guide] = "docs/guides"
	}
	for page, folder := range pages {
		for _, target := range readReadme(t, page).links {
			if !strings.Contains(target, "://") && !exists(path.Join(folder, target)) {
				t.Errorf("%s refers to %s, which is not there", page, target)
			}
		}
	}
}

// exists says whether there is a file, or a template from which it is going to
// be generated.
func exists(file string) bool {
	_, err := os.Stat(file)
	if below, ok := strings.CutPrefix(file, "docs/"); ok && err != nil {
		_, err = os.Stat(path.Join("templates", below+".tmpl"))
	}
	return err == nil
}
