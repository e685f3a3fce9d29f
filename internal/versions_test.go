package internal_test

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

var (
	// kusciaVersion finds versions of Kuscia in a text.
	kusciaVersion = regexp.MustCompile(`\bv[01]\.[0-9]+|Kuscia (?:(?:before|from|since|up to|version) )*v?[0-9]+\.[0-9]`)
	// versionComment is a comment in a template that the doc generator replaces.
	versionComment = regexp.MustCompile(`<!-- (kuscia .*?) -->`)
	// supported finds the oldest and the newest version in a README.
	supported = regexp.MustCompile(`\[(v\S+) \S+ (v\S+)\]\(docs/index\.md#versions-of-kuscia\)`)
)

// TestVersionTexts: texts with a version of Kuscia come from the table of versions, which knows
// where a bound is from.
func TestVersionTexts(t *testing.T) {
	t.Parallel()
	texts := 0
	inspectCode(t, []string{"versions", "testing", "tools", "testdata"}, func(at token.Position, node ast.Node) bool {
		literal, ok := node.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Errorf("%s: %v", at, err)
		}
		texts++
		if found := kusciaVersion.FindString(text); found != "" {
			t.Errorf("%s: %q is written by hand; api/kuscia/versions has the texts", at, found)
		}
		return true
	})
	if texts < 10000 {
		t.Errorf("only %d texts were found", texts)
	}
}

// TestVersionsInPages: versions of Kuscia in the templates of pages are comments, which the doc
// generator replaces by what the table says.
func TestVersionsInPages(t *testing.T) {
	t.Parallel()
	known, used := versions.Pages(), map[string]bool{}
	for _, pattern := range []string{"../templates/*.tmpl", "../templates/*/*.tmpl"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text := testfile.Read(t, file)
			for _, found := range versionComment.FindAllStringSubmatch(text, -1) {
				used[found[1]] = true
			}
			if found := kusciaVersion.FindString(text); found != "" {
				t.Errorf("%s: %q is written by hand; it can be a comment with a key of versions.Pages", file, found)
			}
		}
	}
	for key := range used {
		if known[key] == "" {
			t.Errorf("%q is not in versions.Pages", key)
		}
	}
	page := testfile.Read(t, "../docs/index.md")
	for _, key := range []string{"kuscia features", "kuscia tried"} {
		if !used[key] || !strings.Contains(page, known[key]) {
			t.Errorf("docs/index.md lacks %s", key)
		}
	}
	for _, file := range []string{"../README.md", "../README.zh-CN.md"} { // not generated
		found := supported.FindStringSubmatch(testfile.Read(t, file))
		if want := []string{known["kuscia oldest"], known["kuscia newest"]}; len(found) < len(want) || !slices.Equal(found[1:], want) {
			t.Errorf("%s names %q, want %q", file, found, want)
		}
	}
}
