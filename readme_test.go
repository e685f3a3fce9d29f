package main_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	english = "README.md"
	chinese = "README.zh-CN.md"
	// published is where the registry's pages find the files of the repository.
	published = "https://raw.githubusercontent.com/terraform-kuscia/terraform-provider-kuscia/main/"
)

// readme has the parts that must be the same in every language.
type readme struct {
	// headings are the levels of the headings, in order.
	headings []int
	// code are the lines of code, without comments.
	code []string
	// links are the targets of links, sorted.
	links []string
}

var (
	comment = regexp.MustCompile(`(^|\s+)# .*$`)
	// inPicture is the language of a picture.
	inPicture = regexp.MustCompile(`\.zh-CN(\.svg|-\w+\.png)$`)
	link      = regexp.MustCompile(`\]\(([^)]+)\)| src(?:set)?="([^"]+)"`)
)

func readReadme(t *testing.T, file string) readme {
	t.Helper()
	content := text(t, file)
	var r readme
	inCode := false
	for line := range strings.Lines(content) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			inCode = !inCode
			r.code = append(r.code, line)
			continue
		case inCode:
			r.code = append(r.code, comment.ReplaceAllString(line, ""))
			continue
		case strings.HasPrefix(line, "#"):
			r.headings = append(r.headings, strings.IndexByte(line, ' '))
		}
		for _, match := range link.FindAllStringSubmatch(line, -1) {
			r.links = append(r.links, match[1]+match[2])
		}
	}
	slices.Sort(r.links)
	return r
}

// TestReadmesAgree fails if one README has commands, links or headings that the other one lacks.
func TestReadmesAgree(t *testing.T) {
	t.Parallel()
	en, zh := readReadme(t, english), readReadme(t, chinese)
	for i, target := range zh.links {
		if target == english {
			zh.links[i] = chinese
			continue
		}
		if strings.HasPrefix(target, "#") { // a heading, which is translated too
			zh.links[i] = "#"
		}
		zh.links[i] = strings.Replace(zh.links[i], ".zh-CN.md", ".md", 1)
		// The pictures with texts have a Chinese version.
		zh.links[i] = inPicture.ReplaceAllString(zh.links[i], "$1")
	}
	for i, target := range en.links {
		if strings.HasPrefix(target, "#") {
			en.links[i] = "#"
		}
	}
	slices.Sort(en.links)
	slices.Sort(zh.links)
	for what, pair := range map[string][2][]string{
		"code":  {en.code, zh.code},
		"links": {en.links, zh.links},
	} {
		for _, only := range missing(pair[0], pair[1]) {
			t.Errorf("%s: %q is in %s and not in %s", what, only, english, chinese)
		}
		for _, only := range missing(pair[1], pair[0]) {
			t.Errorf("%s: %q is in %s and not in %s", what, only, chinese, english)
		}
		if !slices.Equal(pair[0], pair[1]) && !t.Failed() {
			t.Errorf("%s: not the same order or number", what)
		}
	}
	if !slices.Equal(en.headings, zh.headings) {
		t.Errorf("levels of headings: %v, %v", en.headings, zh.headings)
	}
}

// missing are the texts of a that b does not have.
func missing(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(text string) bool { return slices.Contains(b, text) })
}

// TestLinks: the link targets and the pictures of the READMEs and the guides exist.
func TestLinks(t *testing.T) {
	t.Parallel()
	pages := map[string]string{english: "", chinese: "", "templates/index.md.tmpl": "docs"} // with the folder of the generated page
	guides, err := filepath.Glob("templates/guides/*.md.tmpl")
	if err != nil || len(guides) == 0 {
		t.Fatal("no guides", err)
	}
	for _, guide := range guides {
		pages[guide] = "docs/guides"
	}
	for page, folder := range pages {
		for _, target := range readReadme(t, page).links {
			if picture, ok := strings.CutPrefix(target, published); ok { // the registry has no other files of the repository
				target = path.Join(strings.Repeat("../", strings.Count(folder, "/")+1), picture)
			}
			if strings.Contains(target, "://") || strings.HasPrefix(target, "#") {
				continue
			}
			file, heading, _ := strings.Cut(target, "#")
			if file = path.Join(folder, file); !exists(file) || heading != "" && !slices.Contains(anchors(t, file), heading) {
				t.Errorf("%s refers to %s, which does not exist", page, target)
			}
		}
	}
}

// notInAnchor matches the characters of a heading that its anchor lacks.
var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// anchors are the anchors of the headings of a page.
func anchors(t *testing.T, file string) (names []string) {
	t.Helper()
	content := text(t, file)
	for line := range strings.Lines(content) {
		if heading := strings.TrimLeft(line, "#"); heading != line {
			name := notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
			names = append(names, strings.ReplaceAll(name, " ", "-"))
		}
	}
	return names
}

// exists reports whether there is a file, or a template from which it is
// generated.
func exists(file string) bool {
	_, err := os.Stat(file)
	if below, ok := strings.CutPrefix(file, "docs/"); ok && err != nil {
		_, err = os.Stat(path.Join("templates", below+".tmpl"))
	}
	return err == nil
}

// notInPicture matches what loads or runs something, and the folders of a machine.
var notInPicture = regexp.MustCompile(`<(script|foreignObject|image|a|use|iframe)\b|<[!?]|\s(on\w+|href)=|@import|="[^"]*//|url\([^#]|[\s="'(>]/([^\s/"'()<]+/)+`)

// TestPictures: a picture loads and runs nothing, and names no folder of the machine.
func TestPictures(t *testing.T) {
	t.Parallel()
	pictures, err := filepath.Glob(".github/pictures/*.svg")
	if err != nil || len(pictures) == 0 {
		t.Fatal("no pictures", err)
	}
	for _, picture := range pictures {
		content := strings.Replace(text(t, picture), ` xmlns="http://www.w3.org/2000/svg"`, "", 1)
		if found := notInPicture.FindString(content); found != "" {
			t.Errorf("%s has %s", picture, found)
		}
	}
}
