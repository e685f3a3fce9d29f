package internal_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

const readme = "README.md"

var (
	codeSpan = regexp.MustCompile("`([^`]+)`")
	// file matches names that can only be those of a file or folder.
	file = regexp.MustCompile(`^[\w.*-]+(/[\w.*-]*)+$|^[\w*]+\.(go|json|md)$`)
	// goFile matches the name of a file in the documentation of its package.
	goFile = regexp.MustCompile(`\b\w+\.go\b`)
	// placeholder matches a part of a path that a reader replaces.
	placeholder = regexp.MustCompile(`(\b|_)[A-Z]{4,}(\b|_)`)
)

// documents are those below internal/: READMEs, decisions and what else a README links.
func documents(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "tools"):
			return filepath.SkipDir
		case filepath.Ext(file) == ".md":
			files = append(files, file)
		}
		return nil
	})
	if err != nil || len(files) < 60 {
		t.Fatalf("%d documents were found: %v", len(files), err)
	}
	return files
}

// TestDocumentsNameWhatExists: every file and folder in inline code of a document below internal/
// exists: there, in the project's folder, next to the document or, for the parts of a resource
// package, in that of servings. So does every path in CONTRIBUTING.md and the READMEs
// of the project, except for those with a placeholder such as NAME, and every file in a doc.go.
func TestDocumentsNameWhatExists(t *testing.T) {
	t.Parallel()
	checked := map[string]int{}
	check := func(document string, names []string, folders ...string) {
		t.Helper()
		for _, name := range names {
			checked[filepath.Base(document)]++
			if !existsBelow(t, name, folders...) {
				t.Errorf("%s names %s, which does not exist", document, name)
			}
		}
	}
	for _, document := range []string{"CONTRIBUTING.md", "README.md", "README.zh-CN.md"} {
		names := namesIn(withoutBlocks(testfile.Read(t, filepath.Join("..", document))))
		check(document, slices.DeleteFunc(names, func(name string) bool {
			first, _, below := strings.Cut(name, "/")
			return !below || placeholder.MatchString(name) || first == ".bin" || first == ".git" || !existsBelow(t, first, "..")
		}), "..")
	}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return filepath.SkipDir
		case entry.Name() == "doc.go":
			check(file, goFile.FindAllString(testfile.Read(t, file), -1), filepath.Dir(file))
		}
		return nil
	})
	for _, file := range documents(t) {
		check(file, namesIn(withoutBlocks(testfile.Read(t, file))), ".", "..", filepath.Dir(file), "resource/serving")
	}
	if err != nil || checked["doc.go"] == 0 || checked["CONTRIBUTING.md"] < 20 || checked[readme] < 20 {
		t.Errorf("checked were %v: %v", checked, err)
	}
}

// withoutBlocks returns a text without its blocks of code.
func withoutBlocks(text string) string {
	var out strings.Builder
	inBlock := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inBlock = !inBlock
		} else if !inBlock {
			out.WriteString(line)
		}
	}
	return out.String()
}

// namesIn are the names of files and folders in the inline code of a text.
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
