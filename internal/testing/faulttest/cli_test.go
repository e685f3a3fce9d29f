package faulttest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// builtProvider is a folder with the provider, which TestMain removes.
var builtProvider = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "faulttest-*"); err != nil {
		return "", err
	}
	if err := acctest.DependOnSources("../../.."); err != nil {
		return "", err
	}
	build := exec.CommandContext(context.Background(), "go", "build", "-o", filepath.Join(dir, "terraform-provider-kuscia"), "../../..")
	build.Env = environment
	if output, err := build.CombinedOutput(); err != nil {
		return dir, fmt.Errorf("go build: %w\n%s", err, output)
	}
	builtInto = dir
	return dir, nil
})

// builtInto is the folder, "" if the provider is not built.
var builtInto string

// cli is a folder for the real CLI with the built provider.
type cli struct {
	dir, program string
	environment  []string
	// secrets must not appear in the output, in addition to the planted ones.
	secrets []string
}

func newCLI(t *testing.T) *cli {
	t.Helper()
	program := acctest.CLI(t)
	plugins, err := builtProvider()
	if err != nil {
		t.Fatal(err)
	}
	c := &cli{dir: t.TempDir(), program: program, environment: append(acctest.BuiltProvider(t, plugins), "TF_LOG=TRACE")}
	for name, secret := range planted {
		c.environment = append(c.environment, "TF_VAR_"+name+"="+secret)
	}
	return c
}

// newQuietCLI is newCLI without Terraform's log.
func newQuietCLI(t *testing.T) *cli {
	t.Helper()
	c := newCLI(t)
	c.environment = slices.DeleteFunc(c.environment, func(variable string) bool { return strings.HasPrefix(variable, "TF_LOG=") })
	return c
}

// configure writes a configuration.
func (c *cli) configure(providerBlock attrs, desired configuration) {
	text := acctest.RequiredProvider + acctest.ProviderBlock(providerBlock)
	for name := range planted {
		text += acctest.Variable(name, attrs{"sensitive": true})
	}
	for _, r := range desired.resources() {
		config := r.config(func(address, attribute string) any { return acctest.Reference(address + "." + attribute) })
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

// ends runs the CLI without colors, requires an exit code, and returns the output.
func (c *cli) ends(t *testing.T, code int, args ...string) string {
	t.Helper()
	output, got := c.run(t, slices.Insert(args, 1, "-no-color")...)
	if got != code {
		t.Fatalf("%v ends with %d, want %d:\n%s", args, got, code, withoutLog(output))
	}
	return acctest.Plain(output)
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
	for _, difference := range desired.differences(b) {
		t.Errorf("after the next apply: %s", difference)
	}
	again, code := c.run(t, "plan", "-no-color", "-input=false", "-detailed-exitcode")
	if code != 0 {
		t.Errorf("the plan after it is not empty:\n%s", withoutLog(again))
	}
	if len(desired.resources()) == 0 {
		// The plan is empty without requests, so the provider may not have been
		// called.
		checkNoSecrets(t, withoutOwnLeaks(output), again)
		return
	}
	c.checkNoSecrets(t, output)
	c.checkNoSecrets(t, again)
}
