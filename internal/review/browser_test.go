package review

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// mermaids are the packages with the versions of Mermaid that are tested. The one
// before the newest is still in use, and reads labels in another way.
var mermaids = []string{"mermaid", "mermaid-11"}

// page shows reviews in a browser.
type page struct{ file, browser string }

// view is what a page shows of a review.
type view struct {
	Errors       []string
	Graphs, Rows int
	// Nodes are the labels of the graph's nodes, Code the texts in code.
	Nodes, Code []string
	// Active are links, pictures, scripts and the like, which a review never has.
	Active []string
}

// newPage writes a page with reviews. "make test-long" installs what it needs.
func newPage(t *testing.T, reviews map[string]string) page {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short: it needs a browser (make test-long)")
	}
	modules := os.Getenv("KUSCIA_TEST_NPM")
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if modules == "" || browser == "" {
		t.Fatal("no browser or no Mermaid: run this test with make test-long PKG=./internal/review")
	}
	parsed, err := template.ParseFiles(filepath.Join("testdata", "browser.html"))
	if err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	if err := parsed.Execute(&content, map[string]any{"Modules": "file://" + modules, "Reviews": reviews}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "reviews.html")
	if err := os.WriteFile(file, content.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return page{file: file, browser: browser}
}

var output = regexp.MustCompile(`<output hidden="">([^<]*)</output>`)

// show opens the page in a browser with a new profile, and returns what it has of each review.
func (p page) show(t *testing.T, theme, mermaid string) map[string]view {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, p.browser,
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--virtual-time-budget=120000", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+p.file+"#"+theme+","+mermaid)
	shown, err := command.Output()
	found := output.FindSubmatch(shown)
	if err != nil || found == nil {
		t.Fatalf("the page has not been shown: %v, %s", err, p.file)
	}
	content, err := url.PathUnescape(string(found[1]))
	var reviews map[string]view
	if err == nil {
		err = json.Unmarshal([]byte(content), &reviews)
	}
	if err != nil {
		t.Fatal(err)
	}
	return reviews
}

// TestReviewsInBrowser: a browser shows the recorded reviews with their graphs, and names in a
// graph and in tables as they are, whatever they mean in Mermaid, HTML or Markdown.
func TestReviewsInBrowser(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "*", "review.md"))
	if err != nil || len(files) != 8 {
		t.Fatalf("%d reviews: %v", len(files), err)
	}
	reviews := map[string]string{"mistake": "```mermaid\nflowchart LR\n  n0[[[\n```\n"}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		reviews[filepath.Base(filepath.Dir(file))] = string(content)
	}
	for _, text := range hostile {
		content, err := json.Marshal(hostilePlan(text))
		if err != nil {
			t.Fatal(err)
		}
		read, err := decode(content)
		if err != nil {
			t.Fatal(err)
		}
		reviews[fmt.Sprintf("%q", text)] = Build(read).Markdown()
	}
	p := newPage(t, reviews)
	for theme, mermaid := range map[string]string{"light": mermaids[0], "dark": mermaids[1]} {
		all := p.show(t, theme, mermaid)
		if got := all["mistake"]; len(got.Errors) != 1 || got.Graphs != 0 {
			t.Errorf("%s: a mistake in a graph is shown as %+v", mermaid, got)
		}
		delete(all, "mistake")
		for name, got := range all {
			text := reviews[name]
			if len(got.Errors) > 0 || len(got.Active) > 0 || got.Graphs != strings.Count(text, "```mermaid\n") ||
				len(got.Nodes) != strings.Count(text, "]:::")+strings.Count(text, "):::") ||
				got.Rows != strings.Count(text, "\n| ")-strings.Count(text, "\n| ---") {
				t.Errorf("%s, %s: %+v", name, mermaid, got)
			}
		}
		for _, text := range hostile {
			checkShown(t, all[fmt.Sprintf("%q", text)], text)
		}
	}
}

// checkShown: a label of the graph and code in the tables are a text.
func checkShown(t *testing.T, got view, text string) {
	t.Helper()
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	has := func(all []string, text string) bool {
		return slices.ContainsFunc(all, func(shown string) bool { return words(shown) == words(text) })
	}
	if label := decoded.Replace(clean(text, maxLabel)) + " -/+ replaced"; text != "" && !has(got.Nodes, label) {
		t.Errorf("%q is no label, but %q", label, got.Nodes)
	}
	code := Text(text)
	if strings.HasPrefix(Markdown(text), "<code>") {
		code = strings.ReplaceAll(code, "@", "＠")
	}
	if code != "" && !has(got.Code, code) {
		t.Errorf("%q is not in the tables, which have %q", code, got.Code)
	}
}
