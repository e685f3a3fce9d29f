package main_test

import (
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	pictures = ".github/pictures/"
	// published is where the registry's pages find the pictures.
	published = "https://raw.githubusercontent.com/terraform-kuscia/terraform-provider-kuscia/main/" + pictures
	// maxPicture bounds the size of a picture.
	maxPicture = 200_000
)

var (
	picture         = regexp.MustCompile(`!\[([^\]]*)\]\(([^)]+)\)`)
	chineseText     = regexp.MustCompile(`\p{Han}`)
	pictureTitle    = regexp.MustCompile(`<title[^>]*>(.+)</title>`)
	activeInPicture = regexp.MustCompile(`<(script|foreignObject|image|a|use|iframe)\b|<[!?]|\s(on\w+|href)=|@import|="[^"]*//|url\([^#]`)
)

const svgNamespace = `xmlns="http://www.w3.org/2000/svg"`

// TestPictures: each picture of a page exists, has the alternative text of the page as
// its title, or a translation in the Chinese README, is for light and dark pages, and loads and runs nothing. Each file is in a
// page.
func TestPictures(t *testing.T) {
	t.Parallel()
	used := map[string]string{} // the alternative texts by the name of the file
	for _, page := range picturePages(t) {
		content := text(t, page)
		prefix := published // the registry has no other files of the repository
		if page == english || page == chinese {
			prefix = pictures
		}
		if strings.Contains(content, "<img") || strings.Contains(content, "<picture") {
			t.Errorf("%s has a picture in HTML, which not every page shows", page)
		}
		for _, match := range picture.FindAllStringSubmatch(content, -1) {
			alternative, target := match[1], match[2]
			name, found := strings.CutPrefix(target, prefix)
			if !found {
				t.Errorf("%s: %s does not start with %s", page, target, prefix)
				continue
			}
			if title, english := used[name]; page == chinese && english {
				if !chineseText.MatchString(alternative) {
					t.Errorf("%s: the alternative text %q is not Chinese", page, alternative)
				}
				alternative = title
			}
			used[name] = alternative
			if err := checkPicture(text(t, filepath.Join(pictures, name)), alternative); err != nil {
				t.Errorf("%s: %s: %v", page, name, err)
			}
		}
	}
	files, err := os.ReadDir(pictures)
	if err != nil || len(used) == 0 {
		t.Fatal(len(used), err)
	}
	for _, file := range files {
		if used[file.Name()] == "" {
			t.Errorf("no page has the picture %s", file.Name())
		}
	}
}

// picturePages are the pages that may have pictures.
func picturePages(t *testing.T) []string {
	t.Helper()
	pages := []string{english, chinese}
	for _, pattern := range []string{"templates/*.tmpl", "templates/*/*.tmpl"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal("no templates", err)
		}
		pages = append(pages, found...)
	}
	return pages
}

// checkPicture compares a picture with its alternative text in a page.
func checkPicture(file, alternative string) error {
	title := pictureTitle.FindStringSubmatch(file)
	switch {
	case len(file) > maxPicture:
		return fmt.Errorf("it has %d bytes", len(file))
	case title == nil || html.UnescapeString(title[1]) != alternative:
		return fmt.Errorf("its title is %q, and the alternative text %q", title, alternative)
	case !strings.Contains(file, "@media (prefers-color-scheme: dark)"):
		return errors.New("it has no colors for dark pages")
	}
	if active := activeInPicture.FindString(strings.Replace(file, svgNamespace, "", 1)); active != "" {
		return fmt.Errorf("it has %s, which loads or runs something", active)
	}
	return nil
}
