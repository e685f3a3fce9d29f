package kuscia

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// guide is the page for users about errors. It has to describe each code of the
// client, and no others.
const guide = "../../../templates/guides/error-codes.md.tmpl"

// TestGuideHasEveryCode compares the guide's tables with the codes, and with the texts by which the
// client classifies errors.
func TestGuideHasEveryCode(t *testing.T) {
	var rows, firsts []string
	for _, row := range guideTable(t, "Codes") {
		several := strings.Split(row, ", ")
		rows, firsts = append(rows, several...), append(firsts, several[0])
	}
	codes := declaredCodes(t)
	for _, code := range codes {
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
	messages := strings.Join(guideTable(t, "Messages"), "\n")
	texts := []string{notAPartyText, conflictText, "of sub resources for serving already exists", missingTemplateText, servingKind, refusedText}
	for _, text := range append(texts, tooLargeTexts...) {
		if !strings.Contains(messages, text) {
			t.Errorf("%q is not in the guide", text)
		}
	}
}

// guideTable is the first column of the table under a heading.
func guideTable(t *testing.T, heading string) []string {
	t.Helper()
	_, section, found := strings.Cut(testfile.Read(t, guide), "\n## "+heading+"\n")
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

// declaredCodes are the values of the constants Code... of this package.
func declaredCodes(t *testing.T) (codes []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		for _, match := range regexp.MustCompile(`(?m)^\t*(?:const )?Code\w+ +(?:int32 +)?= +(\d+)`).FindAllStringSubmatch(testfile.Read(t, name), -1) {
			codes = append(codes, match[1])
		}
	}
	if len(codes) < 40 {
		t.Fatalf("%d codes", len(codes))
	}
	return codes
}
