// Package pagestest tests what people read: the files at the top of the repository, the guides,
// and the generated pages.
package pagestest_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// module is the folder of the project.
const module = "../../.."

// pages has the text of each page by its path. Of those that are generated, it has what is
// published.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, root := range []string{"README.md", "README.zh-CN.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "examples"} {
		err := filepath.WalkDir(filepath.Join(module, root), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(file) != ".md" {
				return err
			}
			found[strings.TrimPrefix(filepath.ToSlash(file), module+"/")] = testfile.Read(t, file)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(found) < 70 {
		t.Fatalf("only %d pages", len(found))
	}
	return found
}
