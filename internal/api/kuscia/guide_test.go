package kuscia

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// guide is the page for users about errors. It has to describe each code and
// each cause of the client, and no others.
const guide = "../../../templates/guides/error-codes.md.tmpl"

// TestGuideHasEveryCode compares the guide's table with the codes.
func TestGuideHasEveryCode(t *testing.T) {
	var rows, firsts []string
	for _, row := range guideTable(t, "Codes") {
		several := strings.Split(row, ", ")
		rows, firsts = append(rows, several...), append(firsts, several[0])
	}
	codes, managed := declaredCodes(t)
	for _, code := range managed {
		if !slices.Contains(rows, code) {
			t.Errorf("code %s is not in the guide", code)
		}
	}
	for _, row := range rows {
		if !slices.Contains(codes, row) {
			t.Errorf("the guide has a code %s that the client does not have", row)
		}
	}
	if !slices.IsSorted(firsts) {
		t.Error("the codes are not in order")
	}
}

// TestGuideHasEveryObjectCode compares the table of routes, configuration and
// certificates with their codes.
func TestGuideHasEveryObjectCode(t *testing.T) {
	var codes []string
	for _, code := range []int32{
		CodeGenerateCertificate, CodeCreateDomainRoute, CodeQueryDomainRoute, CodeQueryDomainRouteStatus, CodeDeleteDomainRoute,
		CodeDomainRouteNotExists, CodeDomainRouteExists, CodeCreateConfig, CodeQueryConfig, CodeUpdateConfig, CodeDeleteConfig, CodeBatchQueryConfig,
	} {
		codes = append(codes, strconv.Itoa(int(code)))
	}
	if rows := guideTable(t, "Codes of routes, configuration and certificates"); !slices.Equal(rows, codes) {
		t.Errorf("the guide has %v, want %v", rows, codes)
	}
}

// TestGuideHasEveryCause finds each hint by the words that the guide quotes.
func TestGuideHasEveryCause(t *testing.T) {
	quotes := guideTable(t, "Other failures")
	for cause, hint := range causeHints {
		if hint != "" && !slices.ContainsFunc(quotes, func(quote string) bool { return strings.Contains(hint, quote) }) {
			t.Errorf("the guide does not quote the hint of cause %s: %s", cause, hint)
		}
	}
	for _, quote := range quotes {
		found := false
		for _, hint := range causeHints {
			found = found || strings.Contains(hint, quote)
		}
		if !found {
			t.Errorf("no hint contains %q", quote)
		}
	}
}

// TestGuideHasEveryMessage: the guide has the texts by which the client
// classifies errors.
func TestGuideHasEveryMessage(t *testing.T) {
	messages := strings.Join(guideTable(t, "Messages"), "\n")
	for _, text := range []string{notAPartyText, conflictText, "of sub resources for serving already exists", missingTemplateText, servingKind, refusedText} {
		if !strings.Contains(messages, text) {
			t.Errorf("%q is not in the guide", text)
		}
	}
	for _, text := range tooLargeTexts {
		if !strings.Contains(messages, text) {
			t.Errorf("%q is not in the guide", text)
		}
	}
}

// guideTable is the first column of the table under a heading.
func guideTable(t *testing.T, heading string) []string {
	t.Helper()
	content, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(content), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("no section %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var column []string
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			column = append(column, strings.TrimSpace(cells[1]))
		}
	}
	if len(column) < 3 {
		t.Fatalf("no table under %q", heading)
	}
	return column[2:] // without its head and the line below
}

// elsewhere are prefixes of the codes that are in the second table of codes:
// certificates, routes and configuration.
var elsewhere = []string{"200", "114", "119"}

// declaredCodes are the values of the constants Code... of this package, and
// managed are those that the first table of the guide must have.
func declaredCodes(t *testing.T) (codes, managed []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(spec.Names[0].Name, "Code") {
				return true
			}
			code := spec.Values[0].(*ast.BasicLit).Value
			codes = append(codes, code)
			if !slices.Contains(elsewhere, code[:3]) {
				managed = append(managed, code)
			}
			return true
		})
	}
	if len(managed) == 0 {
		t.Fatal("no codes found")
	}
	return codes, managed
}
