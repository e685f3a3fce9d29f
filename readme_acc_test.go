package main_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// firstServing is the configuration that the READMEs show.
const firstServing = "examples/first-serving/main.tf"

// TestAccReadmeOutput: the READMEs have what the CLI prints for their configuration: for a
// serving without the port communication, and for a second replica of alice. With -update it is
// written into them.
func TestAccReadmeOutput(t *testing.T) {
	t.Parallel()
	acctest.RequireTerraformTexts(t)
	e := acctest.New(t)
	e.RequireSandbox(t, "the names of the example may be in use")
	w := e.NewWorkspace(t)
	configuration := text(t, firstServing)
	w.Write("main.tf", without(t, configuration, `{ name = "communication"`))
	w.Init()
	refused := excerpt(t, w.Run(1, "plan", "-input=false"), "Error: ", "The application would say: ")
	w.Write("main.tf", configuration)
	w.DestroyAtEnd()
	w.Apply()
	w.Write("main.tf", strings.Replace(configuration, "replicas = 1", "replicas = 2", 1))
	changed := excerpt(t, w.Run(acctest.PlanDiffers, "plan", "-detailed-exitcode", "-input=false"),
		"  # kuscia_serving.credit will be ", "    }")
	for _, file := range []string{english, chinese} {
		blocks := strings.Split(text(t, file), "```text\n")
		if len(blocks) != 3 {
			t.Fatalf("%s has %d outputs", file, len(blocks)-1)
		}
		for i, printed := range []string{changed, refused} {
			_, after, _ := strings.Cut(blocks[i+1], "```")
			blocks[i+1] = printed + "```" + after
		}
		acctest.Golden(t, file, strings.Join(blocks, "```text\n"))
	}
}

// TestReadmeConfiguration: the configuration in the READMEs is that of the example.
func TestReadmeConfiguration(t *testing.T) {
	t.Parallel()
	for _, file := range []string{english, chinese} {
		if !strings.Contains(text(t, file), "```terraform\n"+text(t, firstServing)+"```\n") {
			t.Errorf("%s does not have %s as it is", file, firstServing)
		}
	}
}

// without is a text without the line that has a part.
func without(t *testing.T, content, part string) string {
	t.Helper()
	var kept strings.Builder
	for line := range strings.Lines(content) {
		if !strings.Contains(line, part) {
			kept.WriteString(line)
		}
	}
	if kept.Len() == len(content) {
		t.Fatalf("no line has %q", part)
	}
	return kept.String()
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
