package internal_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mostLines is how many lines of existing Go files a new object of the KusciaAPI
// may need; tests and generated files do not count.
const mostLines = 4

// objectsOfCrud are the packages of resources that tfkit/crud makes, by the word
// that stands for them in the rest of the house.
var objectsOfCrud = map[string]string{
	"domain": `\bdomain\.(Types|Shortcuts|Object\b)|(resource|kuscia)/domain"`,
}

// TestNewObjectIsFewLines counts the lines by which the rest of the house knows
// of an object: all of them outside of its own files. Its client and its sandbox
// are files of its own. What a Store of the sandbox offers to tests is not
// counted: an object does without.
func TestNewObjectIsFewLines(t *testing.T) {
	t.Parallel()
	for object, names := range objectsOfCrud {
		// Servings of the sandbox stand on its domains, which is no registration.
		own := []string{"resource/" + object + "/", "api/kuscia/" + object + ".go", "sandbox/kuscia/" + object + "/", "sandbox/kuscia/serving/"}
		lines := linesWith(t, regexp.MustCompile(names), func(file string) bool {
			return slices.ContainsFunc(own, func(prefix string) bool { return strings.HasPrefix(file, prefix) })
		})
		t.Logf("%s takes %d lines of other files:\n%s", object, len(lines), strings.Join(lines, "\n"))
		if len(lines) == 0 || len(lines) > mostLines {
			t.Errorf("%s takes %d lines, want 1 to %d: find what should know of new objects by itself", object, len(lines), mostLines)
		}
	}
}

func linesWith(t *testing.T, pattern *regexp.Regexp, own func(file string) bool) (lines []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if err == nil && file != "." {
				return skipDir(file, entry.Name(), false)
			}
			return err
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || own(filepath.ToSlash(file)) {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		scanner := bufio.NewScanner(bytes.NewReader(text))
		for number := 1; scanner.Scan(); number++ {
			if pattern.Match(scanner.Bytes()) {
				lines = append(lines, fmt.Sprintf("%s:%d: %s", file, number, strings.TrimSpace(scanner.Text())))
			}
		}
		return scanner.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
