package main_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

var picture = regexp.MustCompile(`!\[([^\]]*)\]\(([^)]+)\)`)

var chineseText = regexp.MustCompile(`\p{Han}`)

// TestPictures: each picture of a page exists, has the alternative text of the page as
// its title, or a translation in the Chinese README, is for light and dark pages, and loads and runs nothing. Each file is in a
// page.
func TestPictures(t *testing.T) {
	t.Parallel()
	used := map[string]string{} // the alternative texts by the name of the file
	for _, page := range picturePages(t) {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		prefix := published // the registry has no other files of the repository
		if page == english || page == chinese {
			prefix = pictures
		}
		if bytes.Contains(content, []byte("<img")) || bytes.Contains(content, []byte("<picture")) {
			t.Errorf("%s has a picture in HTML, which not every page shows", page)
		}
		for _, match := range picture.FindAllStringSubmatch(string(content), -1) {
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
			file, err := os.ReadFile(filepath.Join(pictures, name))
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			if err := checkPicture(file, alternative); err != nil {
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

// checkPicture reads a picture with its alternative text in a page.
func checkPicture(file []byte, alternative string) error {
	if len(file) > maxPicture {
		return fmt.Errorf("it has %d bytes", len(file))
	}
	title, style, err := elements(file)
	switch {
	case err != nil:
		return err
	case title != alternative || title == "":
		return fmt.Errorf("its title is %q, and the alternative text %q", title, alternative)
	case !strings.Contains(style, "@media (prefers-color-scheme: dark)"):
		return errors.New("it has no colors for dark pages")
	case strings.Contains(style, "@import") || outside(style):
		return errors.New("its style loads something")
	}
	return nil
}

// elements reads a picture and returns the texts of its title and its style.
func elements(file []byte) (title, style string, err error) {
	var open []string
	for decoder := xml.NewDecoder(bytes.NewReader(file)); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return title, style, nil
		} else if err != nil {
			return "", "", err
		}
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
			if slices.Contains([]string{"script", "foreignObject", "image", "a", "use", "iframe"}, token.Name.Local) {
				return "", "", fmt.Errorf("it has the element %s", token.Name.Local)
			}
			for _, attribute := range token.Attr {
				if name := attribute.Name.Local; strings.HasPrefix(name, "on") || name == "href" || outside(attribute.Value) && name != "xmlns" {
					return "", "", fmt.Errorf("it has the attribute %s = %q", name, attribute.Value)
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			switch strings.Join(open, "/") {
			case "svg/title":
				title += string(token)
			case "svg/style":
				style += string(token)
			}
		case xml.ProcInst, xml.Directive:
			return "", "", fmt.Errorf("it has %T", token)
		}
	}
}

// outside reports whether a value refers to something outside of the picture.
func outside(value string) bool {
	return strings.Contains(value, "//") || strings.Contains(strings.ReplaceAll(value, "url(#", ""), "url(")
}

// TestFaultyPictures: each fault of a picture is found.
func TestFaultyPictures(t *testing.T) {
	t.Parallel()
	const svg = `<svg xmlns="http://www.w3.org/2000/svg">`
	const style = `<style>@media (prefers-color-scheme: dark) {}</style>`
	for content, want := range map[string]string{
		svg + `<title>T</title>` + style + `<rect fill="url(#a)"/></svg>`:                                          "",
		svg + `<title>T</title>` + style:                                                                           "syntax error",
		svg + style + `</svg>`:                                                                                     "title",
		svg + `<title>T</title></svg>`:                                                                             "dark",
		svg + `<title>T</title>` + style + `<script/></svg>`:                                                       "script",
		svg + `<title>T</title>` + style + `<rect onclick="x"/></svg>`:                                             "onclick",
		svg + `<title>T</title>` + style + `<rect fill="url(http://a/b)"/></svg>`:                                  "fill",
		svg + `<title>T</title><style>@media (prefers-color-scheme: dark) {} x{background:url(//a)}</style></svg>`: "loads",
		svg + `<title>T</title><style>@import "a"; @media (prefers-color-scheme: dark) {}</style></svg>`:           "loads",
		`<!DOCTYPE svg>` + svg + `<title>T</title>` + style + `</svg>`:                                             "Directive",
		svg + `<title>T</title>` + style + `<desc>` + strings.Repeat("x", maxPicture) + `</desc></svg>`:            "bytes",
	} {
		err := checkPicture([]byte(content), "T")
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.200s: %v, want %q", content, err, want)
		}
	}
}
