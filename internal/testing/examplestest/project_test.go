package examplestest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubeserver"
)

// built is a folder with what the tests build once; TestMain removes it.
var built = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "kuscia-examples-") })

// mirror is a folder from which "init" installs the provider of this checkout,
// made as users make it.
var mirror = sync.OnceValues(func() (string, error) {
	dir, err := built()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "mirror")
	cmd := exec.CommandContext(context.Background(), "make", "-C", "..", "--no-print-directory", "install-mirror", "PLUGINS="+dir)
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("make install-mirror: %w\n%s", err, output)
	}
	return dir, nil
})

// sandboxProgram is the sandbox as users run it, with the API server beside it.
var sandboxProgram = sync.OnceValues(func() (string, error) {
	dir, err := built()
	if err != nil {
		return "", err
	}
	kubetest, err := kubeserver.Program()
	if err == nil {
		err = os.Symlink(kubetest, filepath.Join(dir, "kubetest"))
	}
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "kuscia-sandbox")
	return binary, build(binary, "..", "./internal/cmd/kuscia-sandbox")
})

// reviewDir is a folder with the review as users run it.
var reviewDir = sync.OnceValues(func() (string, error) {
	dir, err := built()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "review")
	return dir, build(filepath.Join(dir, "kuscia-review"), "..", "./internal/cmd/kuscia-review")
})

// jqDir is a folder with a jq.
var jqDir = sync.OnceValues(func() (string, error) {
	dir, err := built()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "jq")
	return dir, build(filepath.Join(dir, "jq"), filepath.Join("..", "internal", "tools"), "github.com/itchyny/gojq/cmd/gojq")
})

// build compiles a program of the module in a folder.
func build(binary, module, pkg string) error {
	cmd := exec.CommandContext(context.Background(), "go", "build", "-buildvcs=false", "-o", binary, pkg)
	cmd.Dir = module
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, output)
	}
	return nil
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

// project is a copy of examples in which the CLI works as it does for users, with
// "init", modules and scripts.
type project struct {
	// root has the examples in their folders, dir is the one to work in.
	root, dir   string
	environment []string
	// path has the CLI as "terraform".
	path string
}

// newProject copies examples and works in the first one. The provider is served by the
// test: it has these variables, not those that a test adds to the environment, and its
// working directory is that of the test.
func newProject(t *testing.T, variables map[string]string, examples ...example) *project {
	t.Helper()
	p := copyProject(t, variables, examples)
	p.environment = append(p.environment, "TF_REATTACH_PROVIDERS="+acctest.Serve(t, acctest.Factories(variables)))
	return p
}

// newInstalledProject is newProject with the provider as a program, which "init"
// installs. It takes longer, and is needed for more than one provider block.
func newInstalledProject(t *testing.T, variables map[string]string, examples ...example) *project {
	t.Helper()
	p := copyProject(t, variables, examples)
	config := filepath.Join(p.root, "cli.tfrc")
	write(t, config, fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", must[string](t)(mirror())))
	p.environment = append(p.environment, "TF_CLI_CONFIG_FILE="+config)
	return p
}

func copyProject(t *testing.T, variables map[string]string, examples []example) *project {
	t.Helper()
	program := acctest.CLI(t)
	p := &project{root: t.TempDir()}
	for _, e := range examples {
		for _, file := range e.all() {
			content := e.read(t, file)
			target := filepath.Join(p.root, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(target, content, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(examples) > 0 {
		p.dir = filepath.Join(p.root, filepath.FromSlash(examples[0].dir))
	}
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); !strings.HasPrefix(name, "KUSCIA_") && !strings.HasPrefix(name, "TF_") && name != "PATH" {
			p.environment = append(p.environment, variable)
		}
	}
	// Scripts and jobs run "terraform", also with another CLI.
	programs := t.TempDir()
	if err := os.Symlink(must[string](t)(exec.LookPath(program)), filepath.Join(programs, "terraform")); err != nil {
		t.Fatal(err)
	}
	p.path = programs + string(os.PathListSeparator) + os.Getenv("PATH")
	p.environment = append(p.environment, "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1", "TF="+program, "PATH="+p.path)
	for name, value := range variables {
		p.environment = append(p.environment, name+"="+value)
	}
	return p
}

// run runs the CLI, which has to end with the exit code, and gives its output.
func (p *project) run(t *testing.T, code int, args ...string) string {
	t.Helper()
	return p.program(t, code, acctest.CLI(t), args...)
}

// program is run for another program.
func (p *project) program(t *testing.T, code int, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = p.dir, p.environment
	output, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("%s %s: exit code %d, want %d (%v)\n%s", filepath.Base(program), strings.Join(args, " "), got, code, err, output)
	}
	return string(output)
}

// init installs the provider, and modules where there are any.
func (p *project) init(t *testing.T) {
	t.Helper()
	p.run(t, 0, "init", "-no-color", "-input=false")
}

// variables sets a variable that says where each Kuscia is.
func (p *project) variables(t *testing.T, name string, kuscias map[string]*acctest.Env) {
	t.Helper()
	places := map[string]map[string]string{}
	for kuscia, env := range kuscias {
		places[kuscia] = map[string]string{"endpoint": env.Sandbox.Endpoint(), "certs_dir": env.Sandbox.CertsDir()}
	}
	content, err := json.Marshal(map[string]any{name: places})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.dir, "places.auto.tfvars.json"), string(content))
}

// replace changes a text in the copy's main.tf.
func (p *project) replace(t *testing.T, before, after string) {
	t.Helper()
	file := filepath.Join(p.dir, "main.tf")
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(content), before) != 1 {
		t.Fatalf("%s has %q not once", file, before)
	}
	write(t, file, strings.Replace(string(content), before, after, 1))
}

// move renames a file of the copy.
func (p *project) move(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(p.dir, from), filepath.Join(p.dir, to)); err != nil {
		t.Fatal(err)
	}
}

// versions names the provider, for folders that are no example.
const versions = "terraform {\n  required_providers {\n    kuscia = { source = \"" + namespace + "/kuscia\" }\n  }\n}\n"

// expectIn fails when a text is not in an output. Line breaks of the CLI do
// not count.
func expectIn(t *testing.T, output string, texts ...string) {
	t.Helper()
	plain := acctest.Plain(output)
	for _, text := range texts {
		if !strings.Contains(plain, text) {
			t.Errorf("%q is not in the output:\n%s", text, output)
		}
	}
}

// at is the environment of a provider that talks to the test's Kuscia.
func at(env *acctest.Env) map[string]string {
	return map[string]string{"KUSCIA_ENDPOINT": env.Sandbox.Endpoint(), "KUSCIA_CERTS_DIR": env.Sandbox.CertsDir()}
}
