package examplestest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// built is a folder with what the tests build once; TestMain removes it.
var built = sync.OnceValues(func() (string, error) {
	if err := acctest.DependOnSources(module); err != nil {
		return "", err
	}
	return os.MkdirTemp("", "kuscia-examples-")
})

// mirror is a folder from which "init" installs the provider of this checkout,
// made as users make it, and the one that an example asks for predictions with.
var mirror = sync.OnceValues(func() (string, error) {
	dir, err := built()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "mirror")
	cmd := exec.CommandContext(context.Background(), "make", "-C", module, "--no-print-directory", "install-mirror", "PLUGINS="+dir)
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("make install-mirror: %w\n%s", err, output)
	}
	http, err := httpProvider()
	if err != nil {
		return "", err
	}
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		file := filepath.Join(dir, registry, "hashicorp", "http", "3.6.1", runtime.GOOS+"_"+runtime.GOARCH, "terraform-provider-http_v3.6.1")
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.Symlink(http, file)); err != nil {
			return "", err
		}
	}
	return dir, nil
})

// The programs that users have, each in a folder of its own.
var (
	sandboxProgram = program("kuscia-sandbox", module, "./internal/cmd/kuscia-sandbox")
	reviewProgram  = program("kuscia-review", module, "./internal/cmd/kuscia-review")
	httpProvider   = program("terraform-provider-http", module+"/internal/tools", "github.com/terraform-providers/terraform-provider-http")
	jq             = program("jq", module+"/internal/tools", "github.com/itchyny/gojq/cmd/gojq")
)

// program compiles a program of the module in a folder, once.
func program(name, folder, pkg string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		dir, err := built()
		if err != nil {
			return "", err
		}
		binary := filepath.Join(dir, name, name)
		cmd := exec.CommandContext(context.Background(), "go", "build", "-buildvcs=false", "-o", binary, pkg)
		cmd.Dir = folder
		if output, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, output)
		}
		return binary, nil
	})
}

// must ends the test when something could not be built.
func must[T any](t *testing.T) func(T, error) T {
	t.Helper()
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// project is a copy of all examples in which the CLI works as it does for users, with
// "init", modules and scripts, and with the provider as a program.
type project struct {
	// root has the examples in their folders, dir is the one to work in.
	root, dir   string
	environment []string
}

// newProject works in an example, with variables of the environment.
func newProject(t *testing.T, dir string, variables ...string) *project {
	t.Helper()
	p := &project{root: t.TempDir()}
	p.in(dir)
	if err := os.CopyFS(p.root, os.DirFS(examples)); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(p.root, "cli.tfrc")
	testfile.Write(t, config, fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", must[string](t)(mirror())))
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); !strings.HasPrefix(name, "KUSCIA_") && !strings.HasPrefix(name, "TF_") {
			p.environment = append(p.environment, variable)
		}
	}
	p.environment = append(p.environment, "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1", "TF=terraform", "TF_CLI_CONFIG_FILE="+config)
	// Scripts and jobs run "terraform", also with another CLI.
	programs := t.TempDir()
	if err := os.Symlink(must[string](t)(exec.LookPath(acctest.CLI(t))), filepath.Join(programs, "terraform")); err != nil {
		t.Fatal(err)
	}
	return p.with("PATH=" + os.Getenv("PATH")).inPath(programs).with(variables...)
}

// in works in another example.
func (p *project) in(dir string) { p.dir = filepath.Join(p.root, filepath.FromSlash(dir)) }

// with is the project with further variables.
func (p *project) with(variables ...string) *project {
	other := *p
	other.environment = slices.Concat(p.environment, variables)
	return &other
}

// inPath is the project with folders before those in which it finds its programs.
func (p *project) inPath(dirs ...string) *project {
	for _, variable := range slices.Backward(p.environment) {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			dirs = append(dirs, path)
			break
		}
	}
	return p.with("PATH=" + strings.Join(dirs, string(os.PathListSeparator)))
}

// shell runs a command as a user types it. It has to end with the exit code.
func (p *project) shell(t *testing.T, code int, command string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-eo", "pipefail", "-c", command)
	cmd.Dir, cmd.Env = p.dir, p.environment
	output, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("%s: exit code %d, want %d (%v)\n%s", command, got, code, err, output)
	}
	for _, title := range []string{"SecretFlow-Serving would not start", "SecretFlow-Serving may not start"} {
		if strings.Contains(string(output), title) {
			t.Errorf("%s: what the example runs does not start:\n%s", command, output)
		}
	}
	return string(output)
}

// arguments lets the CLI neither ask nor color.
var arguments = []string{
	"TF_CLI_ARGS_init=-input=false -no-color", "TF_CLI_ARGS_plan=-input=false -no-color -detailed-exitcode",
	"TF_CLI_ARGS_apply=-input=false -no-color -auto-approve", "TF_CLI_ARGS_destroy=-input=false -no-color -auto-approve",
}
