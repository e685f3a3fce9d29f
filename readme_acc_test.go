package main_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

var (
	outputBlock = regexp.MustCompile("(?s)```text\n(.*?)```")
)

// TestAccReadmeOutput: the READMEs have what the CLI prints for a second
// replica of alice in the quickstart. With -update it is written into them.
func TestAccReadmeOutput(t *testing.T) {
	t.Parallel()
	acctest.RequireTerraformTexts(t)
	e := acctest.New(t)
	e.RequireSandbox(t, "the names of the quickstart may be in use")
	w := e.NewWorkspace(t)
	files := quickstart(t)
	for name, content := range files {
		w.Write(name, content)
	}
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	w.Write("main.tf", strings.Replace(files["main.tf"], "replicas  = 1", "replicas  = 2", 1))
	printed := excerpt(t, w.Run(acctest.PlanDiffers, "plan", "-detailed-exitcode", "-input=false"),
		"  # kuscia_serving.glm will be ", "    }")
	for _, file := range []string{english, chinese} {
		content := text(t, file)
		block := outputBlock.FindStringSubmatchIndex(content)
		if block == nil {
			t.Fatalf("%s has no output", file)
		}
		acctest.Golden(t, file, content[:block[2]]+printed+content[block[3]:])
	}
}

// quickstart has the files of the quickstart.
func quickstart(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("examples/quickstart/*.tf")
	if err != nil || len(names) == 0 {
		t.Fatal("no quickstart", err)
	}
	files := map[string]string{}
	for _, name := range names {
		files[filepath.Base(name)] = text(t, name)
	}
	return files
}

// excerpt is the output from the first line with a prefix to the first one after it with
// another.
func excerpt(t *testing.T, output, first, last string) string {
	t.Helper()
	var kept strings.Builder
	for line := range strings.Lines(output) {
		if kept.Len() == 0 && !strings.HasPrefix(line, first) {
			continue
		}
		kept.WriteString(line)
		if strings.HasPrefix(line, last) {
			return kept.String()
		}
	}
	t.Fatalf("no lines from %q to %q in\n%s", first, last, output)
	return ""
}
