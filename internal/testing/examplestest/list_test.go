package examplestest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// listed is an example in the table of README.md.
type listed struct {
	dir string
	// sandbox is the kind of sandbox that it needs, "" for something else, before the
	// examples to apply before, needs all of it, and command what a user runs.
	sandbox string
	before  []string
	needs   string
	command string
}

// list is what README.md says.
type list struct {
	examples map[string]listed
	// sandboxes are the commands that start a kind of sandbox, and environment are the
	// variables to set; cluster are those for a sandbox with a Kubernetes API.
	sandboxes            map[string][]string
	environment, cluster []string
}

var (
	listedRow   = regexp.MustCompile("(?m)^\\| \\[`(.+?)`\\]\\((.+?)\\) \\| .+? \\| (.+?) \\| (?:`(.+)`)? \\|$")
	sandboxRow  = regexp.MustCompile("(?m)^\\| ([a-z0-9 ]+) \\| (`kuscia-sandbox .+`) \\|$")
	link        = regexp.MustCompile("\\[`.+?`\\]\\((.+?)\\)")
	exported    = regexp.MustCompile(`KUSCIA_[A-Z_]+=\S+`)
	sandboxPort = regexp.MustCompile(`127\.0\.0\.1:\d+`)
)

// readList reads README.md.
func readList(t *testing.T) list {
	t.Helper()
	text := string(must[[]byte](t)(os.ReadFile("README.md")))
	l := list{examples: map[string]listed{}, sandboxes: map[string][]string{}}
	for _, variable := range exported.FindAllString(text, -1) {
		if strings.HasPrefix(variable, "KUSCIA_KUBE_") {
			l.cluster = append(l.cluster, variable)
		} else {
			l.environment = append(l.environment, variable)
		}
	}
	for _, row := range sandboxRow.FindAllStringSubmatch(text, -1) {
		l.sandboxes[row[1]] = strings.Split(strings.Trim(row[2], "`"), "`, `")
	}
	for _, row := range listedRow.FindAllStringSubmatch(text, -1) {
		if row[1] != row[2] {
			t.Errorf("the link of %s is to %s", row[1], row[2])
		}
		one := listed{dir: row[1], needs: row[3], command: row[4]}
		for _, need := range strings.Split(row[3], ", ") {
			if to := link.FindStringSubmatch(need); to != nil {
				one.before = append(one.before, to[1])
			} else if l.sandboxes[need] != nil {
				one.sandbox = need
			}
		}
		l.examples[one.dir] = one
	}
	return l
}

// TestExamplesAreListed: the table has every example, and nothing else.
func TestExamplesAreListed(t *testing.T) {
	t.Parallel()
	l := readList(t)
	for _, e := range findExamples(t) {
		one, ok := l.examples[e.dir]
		if !ok {
			t.Errorf("README.md does not have %s", e.dir)
		}
		delete(l.examples, e.dir)
		if _, err := os.Stat(filepath.Join(e.dir, "sandbox.tfvars")); (err == nil) != strings.Contains(one.command, "sandbox.tfvars") {
			t.Errorf("%s: the command and the file sandbox.tfvars do not fit (%v)", e.dir, err)
		}
	}
	for dir := range l.examples {
		t.Errorf("README.md has %s, which does not exist", dir)
	}
}

// TestAccListedExamples runs every example on a sandbox as README.md says: from a clean
// copy, with the provider and the sandbox as programs. A second plan is empty, and all of
// it can be destroyed.
func TestAccListedExamples(t *testing.T) {
	t.Parallel()
	acctest.CLI(t) // skips before anything is made
	l := readList(t)
	runnable := map[string]listed{}
	for dir, one := range l.examples {
		if one.sandbox == "" {
			t.Logf("not run: %s needs %s", dir, one.needs)
			continue
		}
		runnable[dir] = one
	}
	for dir, one := range acctest.Sample(t, 2, runnable) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			requireCLI(t, one.needs)
			l.run(t, one)
		})
	}
}

var cliNeeded = regexp.MustCompile(`(CLI|Terraform) 1\.(\d+)`)

// requireCLI skips an example that the CLI is too old for.
func requireCLI(t *testing.T, needs string) {
	t.Helper()
	switch match := cliNeeded.FindStringSubmatch(needs); {
	case match == nil:
	case match[0] == "CLI 1.7":
		acctest.RequireRemovedBlocks(t)
	case match[0] == "CLI 1.11":
		acctest.RequireWriteOnly(t)
	default:
		acctest.RequireTerraform(t, tfversion.Version1_14_0, "an action or terraform query")
	}
}

// run starts the sandboxes of an example and runs it, after those that it needs.
func (l list) run(t *testing.T, one listed) {
	t.Helper()
	places := l.places(t, one)
	for _, command := range l.sandboxes[one.sandbox] {
		args := strings.Fields(places.Replace(command))[1:]
		if !slices.Contains(args, "--listen") {
			args = append(args, "--listen", places.Replace("127.0.0.1:8082"))
		}
		startSandboxWith(t, args...)
	}
	p := l.copy(t, places)
	if one.sandbox == "cluster" {
		for _, variable := range l.cluster {
			p.environment = append(p.environment, places.Replace(variable))
		}
	}
	var chain []string
	for next := []string{one.dir}; len(next) > 0; next = l.examples[next[0]].before {
		chain = append(chain, next[0])
	}
	slices.Reverse(chain)
	for _, dir := range chain {
		p.dir = filepath.Join(p.root, filepath.FromSlash(dir))
		command := l.command(dir)
		p.shell(t, "terraform init")
		p.shell(t, command)
		if strings.Contains(command, "terraform apply") {
			p.shell(t, terraformPart(command, "plan"))
		}
	}
	for _, dir := range slices.Backward(chain) {
		if command := l.command(dir); strings.Contains(command, "terraform apply") {
			p.dir = filepath.Join(p.root, filepath.FromSlash(dir))
			p.shell(t, terraformPart(command, "destroy"))
		}
	}
}

// command is what a user runs in a folder; an earlier configuration has no row.
func (l list) command(dir string) string {
	if one, ok := l.examples[dir]; ok {
		return one.command
	}
	return "terraform apply"
}

// terraformPart is the command with another subcommand, and what a shell reads before.
func terraformPart(command, subcommand string) string {
	parts := strings.Split(strings.Replace(command, "terraform apply", "terraform "+subcommand, 1), " && ")
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return strings.HasPrefix(part, "sh ") }), " && ")
}

// places gives each address of README.md a free port, and the folder of certificates
// another place.
func (l list) places(t *testing.T, one listed) *strings.Replacer {
	t.Helper()
	pairs := []string{"/tmp/kuscia-sandbox", t.TempDir()}
	seen := map[string]bool{}
	for _, text := range slices.Concat(l.sandboxes[one.sandbox], l.environment) {
		for _, address := range sandboxPort.FindAllString(text, -1) {
			if !seen[address] {
				seen[address] = true
				pairs = append(pairs, address, freeAddress(t))
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// copy is a clean copy of all examples, with the places of this test in the files for the
// sandbox.
func (l list) copy(t *testing.T, places *strings.Replacer) *project {
	t.Helper()
	p := newInstalledProject(t, nil)
	if err := os.CopyFS(p.root, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*/sandbox.*", "*/*/sandbox.*"} {
		for _, file := range must[[]string](t)(filepath.Glob(filepath.Join(p.root, pattern))) {
			write(t, file, places.Replace(string(must[[]byte](t)(os.ReadFile(file)))))
		}
	}
	for _, variable := range l.environment {
		p.environment = append(p.environment, places.Replace(variable))
	}
	p.environment = append(p.environment, "TF_CLI_ARGS_init=-input=false -no-color",
		"TF_CLI_ARGS_plan=-input=false -no-color -detailed-exitcode", "TF_CLI_ARGS_apply=-input=false -no-color -auto-approve", "TF_CLI_ARGS_destroy=-input=false -no-color -auto-approve")
	return p
}

// shell runs a command as a user types it.
func (p *project) shell(t *testing.T, command string) {
	t.Helper()
	p.program(t, 0, "sh", "-c", command)
}
