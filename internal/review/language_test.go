package review_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// sources type-checks packages of the review from their source, and knows no others: what is wrong
// without these has no words.
type sources struct {
	fset  *token.FileSet
	known map[string]*types.Package
	words map[phrase.Words]bool
}

const module = "github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/"

// Import is that of another package.
func (s *sources) Import(path string) (*types.Package, error) {
	folder, ok := strings.CutPrefix(path, module)
	if !ok {
		return nil, errors.New("not needed")
	}
	return s.check(folder)
}

// check finds the words of a package: constants of the type phrase.Words.
func (s *sources) check(folder string) (*types.Package, error) {
	if known, ok := s.known[folder]; ok {
		return known, nil
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(s.fset, name, nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: s, Error: func(error) {}}
	s.known[folder], _ = config.Check(module+folder, s.fset, files, &info)
	for at, found := range info.Types {
		isTable := filepath.Base(s.fset.Position(at.Pos()).Filename) == "chinese.go"
		if named, ok := found.Type.(*types.Named); ok && named.Obj().Name() == "Words" && found.Value != nil && found.Value.Kind() == constant.String && !isTable {
			s.words[phrase.Words(constant.StringVal(found.Value))] = true
		}
	}
	return s.known[folder], nil
}

// wordsOf are all words in the source of the review.
func wordsOf(t *testing.T) []phrase.Words {
	t.Helper()
	s := &sources{fset: token.NewFileSet(), known: map[string]*types.Package{}, words: map[phrase.Words]bool{}}
	if _, err := s.check("."); err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(s.words))
}

// places are the places for values in words.
var places = regexp.MustCompile(`\{\d*\}`)

// TestTranslated: every word of a review has a translation, which has the same places for values,
// and each translation is one of a word.
func TestTranslated(t *testing.T) {
	t.Parallel()
	used := map[phrase.Words]bool{}
	for _, text := range wordsOf(t) {
		if text == "" {
			continue
		}
		used[text] = true
		translated, ok := phrase.Chinese.Of(text)
		before, after := places.FindAllString(string(text), -1), places.FindAllString(string(translated), -1)
		if !ok || len(before) != len(after) {
			t.Errorf("%q is translated as %q", text, translated)
		}
		// In another order, all have a number but the first of those in the order.
		for n := range before {
			if number := fmt.Sprintf("{%d}", n+1); slices.ContainsFunc(after, func(s string) bool { return s != "{}" }) && !slices.Contains(after, number) && after[0] != "{}" {
				t.Errorf("%q has no %s in %q", text, number, translated)
			}
		}
	}
	for _, text := range phrase.Chinese.Translations() {
		if !used[text] {
			t.Errorf("nothing says %q", text)
		}
	}
}

// latin is a word of English beside values, which are in code or in quotes.
var latin = regexp.MustCompile(`[A-Za-z]{3,}`)

// usual are words that are the same in Chinese.
var usual = []string{
	"Kuscia", "kuscia", "review", "Pod", "CPU", "Terraform", "OpenTofu", "apply", "SHA", "Rollout", "provider", "output", "action", "provisioner", "removed", "tainted", "Service", "count", "for", "each",
	"KusciaDeployment", "PEM", "update", "strategy", "flow", "input", "config", "format", "text", "fail", "json", "plan", "log", "replace", "triggered", "target", "follow", "app", "image", "redeploy", "triggers",
	"state", "details", "summary", "pre", "code", "ROLLOUT", "TLS", "master",
}

// TestChinese: a review in Chinese has the rows and values of the English one, and no English.
func TestChinese(t *testing.T) {
	t.Parallel()
	for name, text := range allPlans(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, format := range []string{"markdown", "text"} {
				english, _ := program(t, 0, text, "-format", format)
				chinese, _ := program(t, 0, text, "-format", format, "-lang", "zh")
				if strings.Count(english, "\n") != strings.Count(chinese, "\n") {
					t.Errorf("other lines:\n%s\n%s", english, chinese)
				}
				if a, b := codes.FindAllString(english, -1), codes.FindAllString(chinese, -1); format == "markdown" && !sameElements(a, b) {
					t.Errorf("other values: %q\n%q", a, b)
				}
				_, chinese, _ = strings.Cut(chinese, "\n")
				if before, graph, ok := strings.Cut(chinese, "```mermaid"); ok {
					_, after, _ := strings.Cut(graph, "```\n")
					chinese = before + after
				}
				for _, word := range latin.FindAllString(codes.ReplaceAllString(chinese, ""), -1) {
					if !slices.Contains(usual, word) {
						t.Errorf("%q is in\n%s", word, chinese)
					}
				}
			}
		})
	}
}

// codes are values, in Markdown and in texts.
var codes = regexp.MustCompile("`[^`]*`|<code>(?:[^<]|<br>)*</code>|\"(?:[^\"\\\\]|\\\\.)*\"|SHA-256 [0-9a-fA-F:]+…?")

func sameElements(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
