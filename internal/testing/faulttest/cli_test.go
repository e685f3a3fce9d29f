package faulttest_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// The provider is built once, into a folder that TestMain removes.
var (
	plainProvider = sync.OnceValues(func() (string, error) { return buildProvider() })
	// raceProvider has the race detector, and is slower.
	raceProvider = sync.OnceValues(func() (string, error) { return buildProvider("-race") })
)

// providerFolders are the created folders.
var providerFolders struct {
	sync.Mutex
	list []string
}

// underRaceDetector is set if the tests run with -race.
var underRaceDetector bool

func buildProvider(flags ...string) (string, error) {
	dir, err := os.MkdirTemp("", "faulttest-*")
	if err != nil {
		return "", err
	}
	providerFolders.Lock()
	providerFolders.list = append(providerFolders.list, dir)
	providerFolders.Unlock()
	args := append([]string{"build", "-o", filepath.Join(dir, "terraform-provider-kuscia")}, flags...)
	build := exec.CommandContext(context.Background(), "go", append(args, "../../..")...)
	build.Env = environment
	if output, err := build.CombinedOutput(); err != nil {
		return dir, fmt.Errorf("go build: %w\n%s", err, output)
	}
	return dir, nil
}

// cli is a folder for the real CLI with the built provider.
type cli struct {
	dir, program string
	environment  []string
	// secrets must not appear in the output, in addition to the planted ones.
	secrets []string
}

func newCLI(t *testing.T) *cli {
	t.Helper()
	return newCLIWith(t, plainProvider)
}

// newRaceCLI uses a provider with the race detector if the tests run with it. A
// data race fails the test.
func newRaceCLI(t *testing.T) *cli {
	t.Helper()
	if !underRaceDetector {
		return newCLI(t)
	}
	c := newCLIWith(t, raceProvider)
	races := filepath.Join(c.dir, "race")
	c.environment = append(c.environment, "GORACE=log_path="+races)
	t.Cleanup(func() {
		reports, _ := filepath.Glob(races + ".*")
		for _, report := range reports {
			text, _ := os.ReadFile(report)
			t.Errorf("a data race in the provider:\n%s", text)
		}
	})
	return c
}

func newCLIWith(t *testing.T, provider func() (string, error)) *cli {
	t.Helper()
	program := acctest.CLI(t)
	plugins, err := provider()
	if err != nil {
		t.Fatal(err)
	}
	c := &cli{dir: t.TempDir(), program: program, environment: append(acctest.BuiltProvider(t, plugins), "TF_LOG=TRACE")}
	for name, secret := range planted {
		c.environment = append(c.environment, "TF_VAR_"+name+"="+secret)
	}
	return c
}

// configure writes a configuration.
func (c *cli) configure(providerBlock attrs, desired configuration) {
	c.write(providerBlock, desired.resources())
}

// write writes resources and a provider block.
func (c *cli) write(providerBlock attrs, resources []resource) {
	text := acctest.RequiredProvider + acctest.ProviderBlock(providerBlock)
	for name := range planted {
		text += acctest.Variable(name, attrs{"sensitive": true})
	}
	for _, r := range resources {
		config := maps.Clone(r.config(func(address, attribute string) any { return acctest.Reference(address + "." + attribute) }))
		if len(r.after) > 0 {
			var needed []any // not every configuration refers to them
			for _, address := range r.after {
				needed = append(needed, acctest.Reference(address))
			}
			config["depends_on"] = needed
		}
		text += acctest.Block(r.typeName, strings.TrimPrefix(r.address, r.typeName+"."), config)
	}
	// Secrets are variables, as users configure them.
	for name, secret := range planted {
		text = strings.ReplaceAll(text, secret, "${var."+name+"}")
	}
	c.save(text)
}

// save writes a text as the configuration.
func (c *cli) save(text string) {
	must(os.WriteFile(filepath.Join(c.dir, "main.tf"), []byte(text), 0o600))
}

// command is a CLI command that is not started yet.
func (c *cli) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), c.program, args...)
	cmd.Dir, cmd.Env = c.dir, c.environment
	cmd.WaitDelay = 10 * time.Second // a provider that still runs keeps the output open
	return cmd
}

// run runs the CLI and returns all output and logs, and the exit code.
func (c *cli) run(t *testing.T, args ...string) (string, int) {
	t.Helper()
	return acctest.CommandOutput(t, c.command(t, args...))
}

func (c *cli) apply(t *testing.T) (string, int) {
	t.Helper()
	return c.run(t, "apply", "-no-color", "-input=false", "-auto-approve")
}

// must runs the CLI and requires exit code 0, so a plan with -detailed-exitcode
// fails if it has changes.
func (c *cli) must(t *testing.T, args ...string) {
	t.Helper()
	if output, code := c.run(t, slices.Insert(args, 1, "-no-color")...); code != 0 {
		t.Fatalf("%v ends with %d:\n%s", args, code, withoutLog(output))
	}
}

// applySaved saves a plan and applies it with a fault, if any. Neither the
// output nor the plan contains a secret.
func (c *cli) applySaved(t *testing.T, b *testbed, name string, fault sandbox.Fault, fails bool) {
	t.Helper()
	planned, code := c.run(t, "plan", "-no-color", "-input=false", "-out=saved.plan")
	if code != 0 {
		t.Fatalf("%s: the plan fails:\n%s", name, withoutLog(planned))
	}
	shown, _ := c.run(t, "show", "-json", "saved.plan")
	if fault.Kind != "" {
		b.server.Inject(fault)
	}
	applied, code := c.run(t, "apply", "-no-color", "-input=false", "saved.plan")
	b.server.ClearFaults()
	if fails != (code != 0) {
		t.Errorf("%s: exit code %d:\n%s", name, code, withoutLog(applied))
	}
	c.checkNoSecrets(t, planned)
	c.checkNoSecrets(t, applied)
	checkNoSecrets(t, shown)
}

// withoutLog is the output of the CLI without its log.
func withoutLog(output string) string {
	var lines []string
	for line := range strings.Lines(output) {
		if !isLog(line) {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, "")
	return text[max(0, len(text)-6000):]
}

func isLog(line string) bool {
	return len(line) > 25 && line[0] == '2' && strings.Contains(line[:min(len(line), 40)], " [")
}

// checkConverges is testbed.checkConverges with the CLI.
func (c *cli) checkConverges(t *testing.T, b *testbed, desired configuration) {
	t.Helper()
	c.configure(b.terraform.providerBlock, desired.within("3m"))
	output, code := c.apply(t)
	if code != 0 {
		t.Errorf("the next apply failed:\n%s", withoutLog(output))
		return
	}
	for _, difference := range desired.differences(b.server) {
		t.Errorf("after the next apply: %s", difference)
	}
	again, code := c.run(t, "plan", "-no-color", "-input=false", "-detailed-exitcode")
	if code != 0 {
		t.Errorf("the plan after it is not empty:\n%s", withoutLog(again))
	}
	list, _ := c.run(t, "state", "list")
	got := 0
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "kuscia_") {
			got++
		}
	}
	if want := len(desired.resources()); got != want {
		t.Errorf("the state has %d resources, want %d:\n%s", got, want, withoutLog(list))
	}
	if got == 0 {
		// The plan is empty without requests, so the provider may not have been
		// called.
		checkNoSecrets(t, withoutOwnLeaks(output), again)
		return
	}
	c.checkNoSecrets(t, output)
	c.checkNoSecrets(t, again)
}
