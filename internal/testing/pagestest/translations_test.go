package pagestest_test

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

const (
	// chinese is the end of the name of a page in Chinese.
	chinese = ".zh-CN.md"
	// behindNotice is what a translation says that lacks changes of the English page.
	behindNotice = "~> 英文页在这次翻译之后有修改，以英文页为准。"
)

var (
	// translationOf names the English text that was translated.
	translationOf = regexp.MustCompile(`<!-- translation of ([0-9a-f]{12}) -->`)
	// sameInAll are the parts that every language has alike: code, and files of examples.
	sameInAll = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```[ \t]*$|^\\{\\{ ?(?:tf|code)file .*?\\}\\}")
	// review begins a review, which is in the language of its page: TestRecordedPlans compares it.
	review = regexp.MustCompile("^```text\n(This plan|此计划)")
)

// digest names a text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:12]
}

// translations returns the files of pages in Chinese, with those in English.
func translations(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(module, "templates", "guides", "*"+chinese+".tmpl"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%d translations: %v", len(files), err)
	}
	found := map[string]string{filepath.Join(module, "README"+chinese): filepath.Join(module, "README.md")}
	for _, file := range files {
		found[file] = strings.Replace(file, chinese, ".md", 1)
	}
	return found
}

// TestTranslations: a translation is that of the English page as it is now, or says that it is
// behind. Whoever has translated the changes writes the new name of the text with -update, and
// removes the notice.
func TestTranslations(t *testing.T) {
	t.Parallel()
	for file, english := range translations(t) {
		text, now := testfile.Read(t, file), digest(testfile.Read(t, english))
		acctest.Record(t, file, translationOf.ReplaceAllString(text, "<!-- translation of "+now+" -->"))
		text = testfile.Read(t, file)
		of := translationOf.FindStringSubmatch(text)
		notice := strings.Contains(text, behindNotice)
		switch page := filepath.Base(english); {
		case of == nil:
			t.Errorf("%s does not say which text of %s it translates: <!-- translation of %s -->", file, page, now)
		case of[1] != now && !notice:
			t.Errorf("%s is behind %s: translate its changes and run this test with -update, or add the line %q", file, page, behindNotice)
		case of[1] != now:
			t.Logf("%s is behind %s", file, page)
		case notice:
			t.Errorf("%s says that it is behind %s, and is not", file, page)
		}
	}
}

// TestTranslatedCode: the code of a translation is that of the English page.
func TestTranslatedCode(t *testing.T) {
	t.Parallel()
	for file, english := range translations(t) {
		text := testfile.Read(t, file)
		if strings.Contains(text, behindNotice) {
			continue
		}
		code, want := codeOf(text), codeOf(testfile.Read(t, english))
		for _, block := range code {
			if !slices.Contains(want, block) {
				t.Errorf("%s: %s does not have\n%s", file, filepath.Base(english), block)
			}
		}
		for _, block := range want {
			if !slices.Contains(code, block) {
				t.Errorf("%s does not have\n%s", file, block)
			}
		}
	}
}

// codeOf returns the parts of a page that every language has alike.
func codeOf(text string) []string {
	return slices.DeleteFunc(sameInAll.FindAllString(text, -1), review.MatchString)
}
