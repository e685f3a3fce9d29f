package examplestest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

var (
	// configurationBlock is a block of a page with a configuration.
	configurationBlock = regexp.MustCompile("(?ms)^[ \t]*```(?:terraform|hcl|tf)[^\n]*\n(.*?)^[ \t]*```[ \t]*$")
	// ofApplication is a block that may have something of what the application reads.
	ofApplication = regexp.MustCompile(`\bkuscia_(serving|app_image|deployment)\b|\b(?:serving_)?input_config(?:_wo)?\b|\bdeploy_templates\b`)
	// read is what the application reads of a serving, of an app image or of a KusciaDeployment.
	read = regexp.MustCompile(`(?m)(?:^|[\s{,])(?:(?:serving_)?input_config(?:_wo)?|config_templates|config_volume_mounts|command|args|env|ports|image|tag)\s*=\s*[^=>\s]`)
)

// unchecked returns what the application reads in the blocks of a page that are no example. Those
// of examples are in files, which tests apply: the plan checks them as the application reads them,
// with the values of what they refer to.
func unchecked(page string, examples []string) (found []string) {
	for _, block := range configurationBlock.FindAllStringSubmatch(page, -1) {
		text := strings.TrimSpace(block[1])
		isExample := false
		for _, example := range examples {
			isExample = isExample || strings.Contains(example, text)
		}
		if !isExample && ofApplication.MatchString(text) {
			found = append(found, read.FindAllString(text, -1)...)
		}
	}
	return found
}

// exampleTexts are the contents of all files of the examples.
func exampleTexts(t *testing.T) (texts []string) {
	t.Helper()
	for _, e := range findExamples(t) {
		for _, file := range e.all {
			texts = append(texts, readExample(t, file))
		}
	}
	return texts
}

// TestPages: what SecretFlow-Serving reads is in pages only as a part of examples. A fragment that is
// none has nothing of it, as nothing can check it without what it refers to.
func TestPages(t *testing.T) {
	t.Parallel()
	files := exampleTexts(t)
	pages := 0
	for _, root := range []string{"README.md", "README.zh-CN.md", "CONTRIBUTING.md", "CHANGELOG.md", "templates", "docs", "examples"} {
		err := filepath.WalkDir(filepath.Join(module, root), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(strings.TrimSuffix(file, ".tmpl"), ".md") {
				return err
			}
			text := testfile.Read(t, file)
			pages += len(configurationBlock.FindAllString(text, -1))
			for _, what := range unchecked(text, files) {
				t.Errorf("%s: %q is in a block that is no example: make it a file in examples/", file, what)
			}
			return nil
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if pages < 50 {
		t.Errorf("only %d blocks were found", pages)
	}
}

// TestUncheckedPages shows what TestPages finds.
func TestUncheckedPages(t *testing.T) {
	t.Parallel()
	const example = "resource \"kuscia_serving\" \"s\" {\n  serving_input_config = jsonencode({ a = 1 })\n}\n"
	for text, want := range map[string]int{
		example: 0, "# another\n" + example: 1, "resource \"kuscia_serving\" \"s\" {\n  # ...\n  progress_deadline = \"2m\"\n}\n": 0,
		"resource \"kuscia_app_image\" \"a\" {\n  # ...\n  ports = [{ name = \"x\" }]\n}\n": 1,
		"# ...\ninput_config_wo = var.text\n":                                               1, "# ...\ninput_config = jsonencode({})\n": 1, "resource \"kuscia_domain\" \"d\" { command = \"x\" }\n": 0,
	} {
		for _, language := range []string{"terraform", "hcl"} {
			if got := unchecked("Text\n\n```"+language+"\n"+text+"```\n\nMore.\n", []string{example}); len(got) != want {
				t.Errorf("%q: %q, want %d", text, got, want)
			}
		}
	}
}
