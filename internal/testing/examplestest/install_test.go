package examplestest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccInstallMirror goes the way of "Getting started": after "make
// install-mirror" the CLI finds the provider without a registry, and a
// configuration that says where it comes from can be applied.
func TestAccInstallMirror(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestAccListedExamples"))
	t.Parallel()
	env := acctest.NewSandbox(t, sandbox.Options{})
	p := newInstalledProject(t, at(env), named(t, "resources/kuscia_serving"))
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, ".terraform.d"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(must[string](t)(mirror()), filepath.Join(home, ".terraform.d", "plugins")); err != nil {
		t.Fatal(err)
	}
	// No settings of the CLI but its own defaults.
	p.environment = append(slices.DeleteFunc(p.environment, func(variable string) bool {
		return strings.HasPrefix(variable, "TF_CLI_CONFIG_FILE=") || strings.HasPrefix(variable, "HOME=") || strings.HasPrefix(variable, "XDG_")
	}), "HOME="+home)
	p.init(t)
	expectIn(t, p.run(t, 0, "version"), "terraform-kuscia/kuscia v0.1.0")
	p.run(t, 0, "apply", "-no-color", "-auto-approve")
	p.run(t, 0, "plan", "-no-color", "-detailed-exitcode")
	p.run(t, 0, "destroy", "-no-color", "-auto-approve")
}
