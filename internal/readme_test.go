package internal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const readme = "README.md"

var (
	codeSpan = regexp.MustCompile("`([^`]+)`")
	// file is a name that can only be that of a file or folder.
	file = regexp.MustCompile(`^[\w.*-]+(/[\w.*-]*)+$|^[\w*]+\.(go|json|md)$`)
	// goFile is the name of a file in the documentation of its package.
	goFile = regexp.MustCompile(`\b\w+\.go\b`)
)

// TestReadmeNamesWhatExists: every file and folder that the README names is
// there: below internal/, in the project's folder, or, where the README speaks
// of the parts of a resource package, in that of servings.
func TestReadmeNamesWhatExists(t *testing.T) {
	t.Parallel()
	for _, name := range namesIn(read(t, readme)) {
		if !slices.Contains(planned, name) && !existsBelow(t, name, ".", "..", "resource/serving") {
			t.Errorf("the README names %s, which is not there", name)
		}
	}
	for text, want := range map[string]string{
		"see `gone.go` and `gone/`":         "gone.go gone/",
		"`not a file`, `a_name`, `x = 1`":   "",
		"`gone/*.go`, `KusciaAPI`, `..._x`": "gone/*.go",
	} {
		names := namesIn(text)
		if got := strings.Join(names, " "); got != want {
			t.Errorf("in %q there are the names %q, want %q", text, got, want)
		}
		for _, name := range names {
			if existsBelow(t, name, ".") {
				t.Errorf("%s is said to be there", name)
			}
		}
	}
}

// namesIn are the names of files and folders that a text has as code.
func namesIn(text string) []string {
	var names []string
	for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
		if file.MatchString(span[1]) {
			names = append(names, span[1])
		}
	}
	return names
}

func existsBelow(t *testing.T, name string, folders ...string) bool {
	t.Helper()
	for _, folder := range folders {
		found, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) > 0 {
			return true
		}
	}
	return false
}

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestPackageDocsNameWhatExists: so do the doc.go files for files of their
// packages.
func TestPackageDocsNameWhatExists(t *testing.T) {
	t.Parallel()
	docs, err := filepath.Glob("*/*/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("*/doc.go")
	if docs = append(docs, more...); err != nil || len(docs) == 0 {
		t.Fatal("no doc.go", err)
	}
	for _, doc := range docs {
		for _, name := range goFile.FindAllString(read(t, doc), -1) {
			if !existsBelow(t, name, filepath.Dir(doc)) {
				t.Errorf("%s names %s, which is not there", doc, name)
			}
		}
	}
}

// TestReadmeHasTheArrows: what the README says a package may import is what it
// may import.
func TestReadmeHasTheArrows(t *testing.T) {
	t.Parallel()
	rows, last := 0, ""
	for line := range strings.Lines(read(t, readme)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || !strings.HasPrefix(cells[1], " `") {
			if rows > 0 {
				break // the end of the first table
			}
			continue
		}
		rows++
		says := strings.TrimSpace(cells[3])
		if says == "the same" {
			says = last
		}
		last = says
		name := strings.TrimSuffix(strings.Trim(cells[1], " `"), "/")
		if name == "../main.go" {
			name = "main"
		}
		var want []string
		if _, err := os.Stat(filepath.Join(name, "go.mod")); err != nil { // a module of its own has no rule
			r, ok := ruleOf(name)
			if !ok {
				t.Errorf("%s has no rule", name)
			}
			want = r.imports
		}
		var got []string
		for _, span := range codeSpan.FindAllStringSubmatch(says, -1) {
			got = append(got, span[1])
		}
		if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: the README says that it may import %v, the rule is %v", name, got, want)
		}
	}
	if rows < 15 {
		t.Errorf("the table of packages has %d rows", rows)
	}
}
