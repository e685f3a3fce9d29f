package examplestest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// asTyped lets the CLI neither ask nor color, and is otherwise what a reader has.
var asTyped = []string{
	"TF_CLI_ARGS_init=-input=false -no-color", "TF_CLI_ARGS_plan=-input=false -no-color", "TF_CLI_ARGS_import=-input=false -no-color",
	"TF_CLI_ARGS_apply=-input=false -no-color -auto-approve", "TF_CLI_ARGS_destroy=-input=false -no-color -auto-approve",
}

// TestAccPageRuns runs the blocks of pages beside an example, as they stand there. The endpoints are
// in the environment.
func TestAccPageRuns(t *testing.T) {
	t.Parallel()
	acctest.CLI(t) // skips before anything is made
	l := readList(t)
	cases := map[string]pageRun{}
	for _, r := range pageRuns {
		cases[r.page+" "+r.blocks[0]] = r
	}
	if len(cases) != len(pageRuns) {
		t.Error("two rows have the same block")
	}
	for name, r := range short.Sample(t, 1, cases) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one, ok := l.examples[r.example]
			if !ok {
				t.Fatalf("there is no example %s", r.example)
			}
			requireCLI(t, one.needs)
			requireCLI(t, r.needs)
			l.runBlocks(t, one, r)
		})
	}
}

// runBlocks applies an example, and then runs blocks of a page in its folder.
func (l list) runBlocks(t *testing.T, one listed, r pageRun) {
	t.Helper()
	p, places := l.start(t, one)
	p = p.inPath(filepath.Dir(must[string](t)(sandboxProgram())), filepath.Dir(must[string](t)(reviewProgram()))).with(asTyped...)
	var chain []string
	for next := []string{one.dir}; len(next) > 0; next = l.before(next[0]) {
		chain = append(chain, next[0])
	}
	for _, dir := range slices.Backward(chain) {
		p.in(dir)
		p.shell(t, 0, "terraform init")
		if command := l.command(dir); strings.Contains(command, "terraform apply") {
			p.shell(t, 0, command)
		}
	}
	if r.prepare != "" {
		p.shell(t, 0, r.prepare)
	}
	text := testfile.Read(t, filepath.Join(module, r.page))
	for _, first := range r.blocks {
		block := blockOf(t, text, first)
		if !block.isConfiguration() {
			p.shell(t, 0, typed(placed(block.text, r.places, places)))
			continue
		}
		testfile.Write(t, filepath.Join(p.dir, "page_override.tf"), placed(block.text, r.places, places))
		p.shell(t, 0, terraformPart(one.command, "plan"))
		if err := os.Remove(filepath.Join(p.dir, "page_override.tf")); err != nil {
			t.Fatal(err)
		}
	}
}

// placed is a block with what a reader replaces, and then with the addresses of a test. The sandbox
// of a block listens where the example finds it.
func placed(text string, pairs []string, places *strings.Replacer) string {
	text = strings.NewReplacer(pairs...).Replace(text)
	return places.Replace(strings.ReplaceAll(text, "--protocol NOTLS", "--protocol NOTLS --listen 127.0.0.1:8082"))
}

// typed is commands after which the programs in the background end.
func typed(commands string) string {
	return "trap 'kill $(jobs -p) 2>/dev/null || :' EXIT\n" + commands
}

// blockOf is the block of a page that begins with a line.
func blockOf(t *testing.T, page, first string) pageBlock {
	t.Helper()
	for _, block := range blocksOf(page) {
		if block.first() == first {
			return block
		}
	}
	t.Fatalf("no block begins with %q", first)
	return pageBlock{}
}

// fromScratch are the pages that a newcomer follows, without an example.
var fromScratch = []pageRun{
	{page: "README.md", blocks: []string{"make install install-mirror", `"$(go env GOPATH)/bin/kuscia-sandbox" --protocol NOTLS &`}},
	{page: guides + "getting-started.md", blocks: []string{
		"git clone https://github.com/terraform-kuscia/terraform-provider-kuscia", "mkdir certs && chmod 700 certs",
		"curl --cacert certs/ca.crt --cert certs/kusciaapi-server.crt --key certs/kusciaapi-server.key https://localhost:PORT/version",
		"export KUSCIA_ENDPOINT=https://localhost:PORT KUSCIA_CERTS_DIR=$PWD/certs", "terraform init",
	}},
	{page: guides + "first-serving.md", blocks: []string{
		"git clone https://github.com/terraform-kuscia/terraform-provider-kuscia", `"$(go env GOPATH)/bin/kuscia-sandbox" --protocol NOTLS &`, "terraform destroy",
	}},
	{page: guides + "model-to-prediction.md", blocks: []string{"make install install-mirror"}},
}

// TestAccFromScratch follows these pages word by word: from a clone, in a home of its own, in a folder
// outside of the repository. The container of Getting started is a sandbox.
func TestAccFromScratch(t *testing.T) {
	short.LeaveOut(t, short.ShownBy("TestAccListedExamples", "TestAccPageRuns"))
	t.Parallel()
	n := newNewcomer(t)
	t.Run("README", n.readme)
	t.Run("a first serving", n.guide)
	t.Run("getting started", n.gettingStarted)
	t.Run("a model", n.model)
}

// newcomer has a machine with nothing but Go, make, Git and the CLI.
type newcomer struct {
	// home is the home, and repository a clone of this one.
	home, repository string
	environment      []string
}

// newNewcomer makes the home, and a repository with what this checkout has.
func newNewcomer(t *testing.T) *newcomer {
	t.Helper()
	n := &newcomer{home: t.TempDir()}
	n.repository = filepath.Join(n.home, "terraform-provider-kuscia")
	origin := t.TempDir()
	n.environment = append([]string{"HOME=" + n.home, "GOPATH=", "GOBIN=", "TF_CLI_CONFIG_FILE=", "KUSCIA_ENDPOINT=",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url." + origin + ".insteadOf",
		"GIT_CONFIG_VALUE_0=https://github.com/terraform-kuscia/terraform-provider-kuscia"}, asTyped...)
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		output, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		n.environment = append(n.environment, name+"="+strings.TrimSpace(string(output)))
	}
	p := n.project(t, must[string](t)(filepath.Abs(module)))
	p.shell(t, 0, fmt.Sprintf("tar -c --exclude=./.git --exclude=./.bin --exclude=./bench --exclude=./dist . | tar -x -C %s", origin))
	p.dir = origin
	p.shell(t, 0, "git init -q -b main . && git add -A && git -c user.name=test -c user.email=test@example.com commit -q -m clone")
	p.dir = n.home
	p.shell(t, 0, "git clone -q https://github.com/terraform-kuscia/terraform-provider-kuscia")
	return n
}

// project works in a folder with the newcomer's environment.
func (n *newcomer) project(t *testing.T, dir string) *project {
	t.Helper()
	p := newProject(t, "").with(n.environment...)
	p.dir = dir
	return p
}

// block is a block of a page, with what a reader replaces.
func (n *newcomer) block(t *testing.T, page, first string, places ...string) string {
	t.Helper()
	return typed(strings.NewReplacer(places...).Replace(blockOf(t, testfile.Read(t, filepath.Join(module, page)), first).text))
}

// firstServing copies the configuration of a page into the folder.
func (n *newcomer) firstServing(t *testing.T, p *project, page string) {
	t.Helper()
	for _, block := range blocksOf(testfile.Read(t, filepath.Join(module, page))) {
		if block.isConfiguration() && strings.Contains(block.text, `resource "kuscia_serving"`) {
			testfile.Write(t, filepath.Join(p.dir, "main.tf"), block.text)
			return
		}
	}
	t.Fatalf("%s has no configuration of a serving", page)
}

// readme follows the README.
func (n *newcomer) readme(t *testing.T) {
	address := freeAddress(t)
	blocks := fromScratch[0].blocks
	p := n.project(t, n.repository)
	p.shell(t, 0, n.block(t, "README.md", blocks[0]))
	p.dir = t.TempDir()
	n.firstServing(t, p, "README.md")
	expectIn(t, p.shell(t, 0, n.block(t, "README.md", blocks[1], "--protocol NOTLS", "--protocol NOTLS --listen "+address, "127.0.0.1:8082", address)),
		"2 added, 0 changed, 0 destroyed.")
}

// guide follows the guide about a first serving, to its end.
func (n *newcomer) guide(t *testing.T) {
	address := freeAddress(t)
	p := n.project(t, t.TempDir())
	expectIn(t, n.follow(t, p, fromScratch[2], "--protocol NOTLS", "--protocol NOTLS --listen "+address, "127.0.0.1:8082", address),
		"2 added, 0 changed, 0 destroyed.", "No changes.", "2 destroyed.")
}

// follow runs the blocks of a page in one shell, in a folder with the configuration of the page.
func (n *newcomer) follow(t *testing.T, p *project, page pageRun, places ...string) string {
	t.Helper()
	n.firstServing(t, p, page.page)
	var all []string
	for _, first := range page.blocks {
		all = append(all, blockOf(t, testfile.Read(t, filepath.Join(module, page.page)), first).text)
	}
	return p.shell(t, 0, typed(strings.NewReplacer(places...).Replace(strings.Join(all, "\n"))))
}

// docker is the part of docker that copies the files of a node, which is a sandbox.
const docker = `#!/bin/sh
set -eu
case "$1 $2" in
"cp CONTAINER:/home/kuscia/var/certs/"*) cp "$SANDBOX_CERTS/${2##*/}" "$3" ;;
*) exit 64 ;;
esac
`

// gettingStarted follows the guide, with MTLS.
func (n *newcomer) gettingStarted(t *testing.T) {
	certs, programs, address := t.TempDir(), t.TempDir(), freeAddress(t)
	startSandbox(t, "--listen", address, "--certs-dir", certs)
	testfile.Write(t, filepath.Join(programs, "docker"), docker)
	p := n.project(t, t.TempDir()).inPath(programs).with("SANDBOX_CERTS="+certs, "KUSCIA_CERTS_DIR=")
	_, port, _ := strings.Cut(address, ":")
	expectIn(t, n.follow(t, p, fromScratch[1], "PORT", port), "2 added, 0 changed, 0 destroyed.")
}

// model follows the guide about a model in the clone.
func (n *newcomer) model(t *testing.T) {
	l := readList(t)
	one := l.examples["secretflow-serving"]
	requireCLI(t, one.needs)
	places := l.places(t, one)
	p := n.project(t, n.repository)
	p.root = filepath.Join(n.repository, "examples")
	l.move(t, p, places)
	if err := os.Remove(filepath.Join(p.root, one.dir, "prediction.tf")); err != nil { // as the page says: there is no hashicorp/http
		t.Fatal(err)
	}
	text := blockOf(t, testfile.Read(t, filepath.Join(module, fromScratch[3].page)), fromScratch[3].blocks[0]).text
	expectIn(t, p.shell(t, 0, typed(placed(text, nil, places))), "0 changed, 0 destroyed.")
}
