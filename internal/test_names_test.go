package internal_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

var (
	testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z]\w*)\(`)
	// namedTest matches the name of a test in a comment or in inline code.
	namedTest = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w+`)
	comment   = regexp.MustCompile(`(?m)(?:^|\s)//.*$`)
	// otherNames are a method and a type of the test library.
	otherNames = regexp.MustCompile(`^Test(Env|CheckFunc)$`)
)

// TestNamedTestsExist: a test that a comment or a page for contributors names exists. A page may name
// the beginning, as -run matches it.
func TestNamedTestsExist(t *testing.T) {
	t.Parallel()
	exists, named := map[string]bool{}, map[string]string{}
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && entry.Name() != ".."):
			return filepath.SkipDir
		case filepath.Ext(file) == ".md" && entry.Name() != "CHANGELOG.md":
			note(named, file, testfile.Read(t, file))
		case filepath.Ext(file) == ".go":
			text := testfile.Read(t, file)
			for _, match := range testFunction.FindAllStringSubmatch(text, -1) {
				exists[match[1]] = true
			}
			note(named, file, strings.Join(comment.FindAllString(text, -1), "\n"))
		}
		return nil
	})
	if err != nil || len(named) < 50 {
		t.Fatalf("%d names of tests were found: %v", len(named), err)
	}
	for name, file := range named {
		if !exists[name] && !otherNames.MatchString(name) && !isBeginning(name, exists) {
			t.Errorf("%s names %s, which does not exist", file, name)
		}
	}
}

// note records the names of tests in a text, with its file.
func note(named map[string]string, file, text string) {
	for _, name := range namedTest.FindAllString(text, -1) {
		named[name] = file
	}
}

func isBeginning(name string, of map[string]bool) bool {
	for longer := range of {
		if strings.HasPrefix(longer, name) {
			return true
		}
	}
	return false
}
