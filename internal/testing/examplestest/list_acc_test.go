package examplestest_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubeserver"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
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
	text := readExample(t, "README.md")
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

// elsewhere are the tests of examples that need no sandbox; nil: another package has it.
var elsewhere = map[string]func(t *testing.T, e example){
	"merge-gate":                         testMergeGate,
	"cluster-access/role":                testClusterRole,
	"guides/moving-from-other-providers": nil, // TestMoveServing moves the state of that provider
	"secretflow-serving/prediction":      testUsed,
	"modules/federation":                 testUsed,
	"modules/node":                       testUsed,
	"modules/shared-data":                testUsed,
}

// testUsed: a module is a part of another example.
func testUsed(t *testing.T, e example) {
	for _, other := range findExamples(t) {
		for _, file := range other.configuration {
			if other.dir != e.dir && strings.Contains(readExample(t, file), "/"+path.Base(e.dir)+`"`) {
				return
			}
		}
	}
	t.Error("no example uses it")
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
		if _, err := os.Stat(filepath.Join(examples, e.dir, "sandbox.tfvars")); (err == nil) != strings.Contains(one.command, "sandbox.tfvars") {
			t.Errorf("%s: the command and the file sandbox.tfvars do not fit (%v)", e.dir, err)
		}
	}
	for dir := range l.examples {
		t.Errorf("README.md has %s, which does not exist", dir)
	}
}

// TestAccListedExamples runs every example on a sandbox as README.md says: from a clean
// copy, with the provider and the sandbox as programs. A second plan is empty, what is to be
// imported can be, and all of it can be destroyed.
func TestAccListedExamples(t *testing.T) {
	t.Parallel()
	acctest.CLI(t) // skips before anything is made
	l := readList(t)
	runnable := map[string]listed{}
	for dir, one := range l.examples {
		if one.sandbox != "" {
			runnable[dir] = one
		} else if _, ok := elsewhere[dir]; !ok {
			t.Errorf("%s needs no sandbox and has no test", dir)
		}
	}
	for dir, one := range short.Sample(t, 3, runnable) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			requireCLI(t, one.needs)
			l.run(t, one)
		})
	}
}

// TestAccOtherExamples tests those that need something else.
func TestAccOtherExamples(t *testing.T) {
	short.LeaveOut(t, short.ShownBy("TestAccListedExamples"))
	t.Parallel()
	for dir, test := range elsewhere {
		if test == nil {
			continue
		}
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			test(t, named(t, dir))
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

// start starts the sandboxes of an example, for which it is a project, with the places of this test.
func (l list) start(t *testing.T, one listed) (*project, *strings.Replacer) {
	t.Helper()
	places := l.places(t, one)
	for _, command := range l.sandboxes[one.sandbox] {
		args := strings.Fields(places.Replace(command))[1:]
		if !slices.Contains(args, "--listen") {
			args = append(args, "--listen", places.Replace("127.0.0.1:8082"))
		}
		if slices.Contains(args, "--kubernetes") {
			args = append(args, "--kubernetes-program", must[string](t)(kubeserver.Program()))
		}
		startSandbox(t, args...)
	}
	p := l.copy(t, places)
	if one.sandbox == "cluster" {
		for _, variable := range l.cluster {
			p.environment = append(p.environment, places.Replace(variable))
		}
	}
	p.in(one.dir)
	return p, places
}

// run runs an example on its sandboxes, after those that it needs.
func (l list) run(t *testing.T, one listed) {
	t.Helper()
	p, _ := l.start(t, one)
	var chain []string
	for next := []string{one.dir}; len(next) > 0; next = l.before(next[0]) {
		chain = append(chain, next[0])
	}
	slices.Reverse(chain)
	for _, dir := range chain {
		p.in(dir)
		p.shell(t, 0, "terraform init")
		output := p.step(t, step{command: l.command(dir)})
		if dir == one.dir {
			expectIn(t, output, shown[dir]...)
		}
	}
	for _, step := range steps[one.dir] {
		expectIn(t, p.step(t, step), step.shown...)
	}
	p.imports(t, one.command)
	for _, value := range hidden[one.dir] {
		if state := testfile.Read(t, filepath.Join(p.dir, "terraform.tfstate")); strings.Contains(state, value) {
			t.Errorf("the state has %q:\n%s", value, state)
		}
	}
	for _, dir := range slices.Backward(chain) {
		if command := l.command(dir); strings.Contains(command, "terraform apply") {
			p.in(dir)
			p.shell(t, 0, terraformPart(command, "destroy"))
		}
	}
}

// ofType finds what a data source has in its name beside the type of a resource.
var ofType = regexp.MustCompile("(_status|_list|s)$")

// before are the examples to apply before: where README.md does not say so, what is read is
// that of the resource.
func (l list) before(dir string) []string {
	group, name := path.Split(dir)
	resource := "resources/" + ofType.ReplaceAllString(name, "")
	if before := l.examples[dir].before; len(before) > 0 || l.examples[resource].dir == "" || group != "data-sources/" && group != "list-resources/" {
		return before
	}
	return []string{resource}
}

// command is what a user runs in a folder; an earlier configuration has no row.
func (l list) command(dir string) string {
	if one, ok := l.examples[dir]; ok {
		return one.command
	}
	return "terraform apply"
}

// step runs a command, and a plan after an apply.
func (p *project) step(t *testing.T, s step) string {
	t.Helper()
	output := p.shell(t, s.code, s.command)
	if strings.Contains(s.command, "terraform apply") && s.code == 0 {
		p.shell(t, s.plan, terraformPart(s.command, "plan"))
	}
	return output
}

var (
	importCommand = regexp.MustCompile(`(?m)^terraform import (?:-var '.+?' )?'?([a-z_]+\.[^ ']+)'? \S+$`)
	// madeUp is an id that IEF makes up, and stateID where the state has it.
	madeUp  = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	stateID = regexp.MustCompile(`(?m)^ +id += "(.+)"$`)
)

// imports forgets the resource of an example and imports it, in each way that the example
// shows. It changes nothing.
func (p *project) imports(t *testing.T, command string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(p.dir, "import.sh")); err != nil {
		return
	}
	shown := importCommand.FindStringSubmatch(testfile.Read(t, filepath.Join(p.dir, "import.sh")))
	if shown == nil {
		t.Fatal("import.sh has no line \"terraform import [OPTIONS] ADDRESS ID\"")
	}
	address := "'" + shown[1] + "'"
	if !strings.Contains(p.shell(t, 0, "terraform state list"), shown[1]) {
		p.shell(t, 0, shown[0]) // an approval, of which nothing is read
		return
	}
	inState := func(text string) string {
		if id := stateID.FindStringSubmatch(p.shell(t, 0, "terraform state show -no-color "+address)); id != nil {
			return madeUp.ReplaceAllString(text, id[1])
		}
		return text
	}
	line := inState(strings.Replace(shown[0], "terraform import", terraformPart(strings.Replace(command, "apply", "import", 1), "import"), 1))
	p.shell(t, 0, "terraform state rm "+address)
	p.shell(t, 0, line)
	expectIn(t, p.shell(t, 0, command), "0 added, ", ", 0 destroyed.")
	blocks := []string{"by-id.tf"}
	if acctest.HasImportByIdentity(t) {
		blocks = append(blocks, "by-identity.tf")
	}
	for _, block := range blocks {
		testfile.Write(t, filepath.Join(p.dir, "imports.tf"), inState(testfile.Read(t, filepath.Join(p.dir, "import", block))))
		p.shell(t, 0, "terraform state rm "+address)
		expectIn(t, p.step(t, step{command: command}), "1 imported, 0 added, 0 changed, 0 destroyed.")
	}
}

// terraformPart is the command with another subcommand, and what a shell reads before.
func terraformPart(command, subcommand string) string {
	parts := strings.Split(strings.Replace(command, "terraform apply", "terraform "+subcommand, 1), " && ")
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool {
		return !strings.HasPrefix(part, "terraform ") && !strings.HasPrefix(part, ". ")
	}), " && ")
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
	p := newProject(t, "", arguments...)
	l.move(t, p, places)
	for _, variable := range l.environment {
		p = p.with(places.Replace(variable))
	}
	return p
}

// move writes the places of a test into the files for the sandbox.
func (l list) move(t *testing.T, p *project, places *strings.Replacer) {
	t.Helper()
	for _, pattern := range []string{"*/sandbox.*", "*/*/sandbox.*"} {
		for _, file := range must[[]string](t)(filepath.Glob(filepath.Join(p.root, pattern))) {
			testfile.Write(t, file, places.Replace(testfile.Read(t, file)))
		}
	}
}

var announced = regexp.MustCompile(`endpoint\s*=\s*"https?://[^"]+"`)

// startSandbox runs the sandbox program with arguments, and waits until it listens.
func startSandbox(t *testing.T, args ...string) {
	t.Helper()
	// The test ends it in order, after its context has ended.
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), must[string](t)(sandboxProgram()), append(args, "--timing", "quick")...)
	output, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the sandbox: %v", err)
		}
	})
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if announced.MatchString(lines.Text()) {
			go func() { _, _ = io.Copy(io.Discard, output) }()
			return
		}
	}
	t.Fatal("the sandbox ended before it listened")
}

// freeAddress is an address on which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}
