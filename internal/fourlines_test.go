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

// mostLines is the maximum number of lines in existing Go files for a new
// object of the KusciaAPI; tests and generated files do not count.
const mostLines = 4

// objectsOfCrud are the packages of resources made by tfkit/crud, with the word
// for the object in other packages.
var objectsOfCrud = map[string]string{
	"domain": `\bdomain\.(Types|Shortcuts|Object\b)|(resource|kuscia)/domain"`,
}

// TestNewObjectIsFewLines counts the lines about an object outside of its own
// files. Its client and its sandbox are its own files. Methods of the sandbox's
// Store for tests are not counted: an object does not need them.
func TestNewObjectIsFewLines(t *testing.T) {
	t.Parallel()
	for object, names := range objectsOfCrud {
		// Servings of the sandbox use its domains, which is not a registration.
		own := []string{"resource/" + object + "/", "api/kuscia/" + object + ".go", "sandbox/kuscia/" + object + "/", "sandbox/kuscia/serving/"}
		lines := linesWith(t, regexp.MustCompile(names), func(file string) bool {
			return slices.ContainsFunc(own, func(prefix string) bool { return strings.HasPrefix(file, prefix) })
		})
		t.Logf("%s takes %d lines of other files:\n%s", object, len(lines), strings.Join(lines, "\n"))
		if len(lines) == 0 || len(lines) > mostLines {
			t.Errorf("%s takes %d lines, want 1 to %d: let the other packages find new objects automatically", object, len(lines), mostLines)
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
