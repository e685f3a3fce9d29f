package review

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase/phrasetest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// mermaids are the packages with the versions of Mermaid that are tested. The one
// before the newest is still in use, and reads labels in another way.
var mermaids = []string{"mermaid", "mermaid-11"}

// view is what a page shows of a review.
type view struct {
	Errors       []string
	Graphs, Rows int
	// Nodes are the labels of the graph's nodes.
	Nodes []string
	// Active are links, pictures, scripts and the like, which a review never has.
	Active []string
}

// newPage writes a page with reviews.
func newPage(t *testing.T, reviews map[string]string) (file string) {
	t.Helper()
	parsed, err := template.ParseFiles(filepath.Join("testdata", "browser.html"))
	if err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	file = filepath.Join(t.TempDir(), "reviews.html")
	err = parsed.Execute(&content, map[string]any{"Modules": "file://" + os.Getenv("KUSCIA_TEST_NPM"), "Reviews": reviews})
	if err := errors.Join(err, os.WriteFile(file, content.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	return file
}

var output = regexp.MustCompile(`<output hidden="">([^<]*)</output>`)

// browse opens a page in a browser with a new profile, with more arguments, and returns what the browser prints.
func browse(t *testing.T, file, theme, mermaid string, args ...string) ([]byte, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
		}
	}
	args = append(args,
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--virtual-time-budget=120000", "--user-data-dir="+t.TempDir(), "file://"+file+"#"+theme+","+mermaid)
	return exec.CommandContext(ctx, browser, args...).Output()
}

// inBrowser is what a browser shows of each review of a page.
func inBrowser(t *testing.T, file, theme, mermaid string) map[string]view {
	t.Helper()
	shown, err := browse(t, file, theme, mermaid, "--dump-dom")
	found := output.FindSubmatch(shown)
	if err != nil || found == nil {
		t.Fatalf("the page has not been shown, which needs a browser and Mermaid (make test-long PKG=./internal/review): %v", err)
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

// TestReviewsInBrowser: a browser shows the nodes and rows of recorded reviews, and of names that
// mean something in Mermaid, HTML or Markdown, and nothing active.
func TestReviewsInBrowser(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("not with -short: it needs a browser (make test-long)")
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*", "review.md"))
	if err != nil || len(files) != 9 {
		t.Fatalf("%d reviews: %v", len(files), err)
	}
	reviews := map[string]string{"mistake": "```mermaid\nflowchart LR\n  n0[[[\n```\n"}
	for _, file := range files {
		reviews[filepath.Base(filepath.Dir(file))] = testfile.Read(t, file)
	}
	for _, text := range phrasetest.Hostile {
		content, err := json.Marshal(hostilePlan(text))
		read, decodeErr := plan.Read(bytes.NewReader(content))
		if err != nil || decodeErr != nil {
			t.Fatal(err, decodeErr)
		}
		reviews[fmt.Sprintf("%q", text)] = Build(read).Markdown()
	}
	page := newPage(t, reviews)
	for theme, mermaid := range map[string]string{"light": mermaids[0], "dark": mermaids[1]} {
		all := inBrowser(t, page, theme, mermaid)
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
	}
}
