//go:build unix

// Package workspace runs a Terraform or OpenTofu CLI with the provider of this
// checkout, in a temporary directory and without access to a registry.
//
// The provider is built and installed in a filesystem mirror, so that "init"
// runs as it does for users.
package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/cli"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/gobuild"
)

// Source is the provider's source address without a registry host.
const Source = "terraform-kuscia/kuscia"

// version is the version of the provider in the mirror; any release is suitable
// for configurations that require 0.1 or later.
const version = "0.1.0"

// Workspace is the temporary directory and the CLI that runs in it.
type Workspace struct {
	// Dir is the directory; Close removes it.
	Dir string
	// Log receives the progress of builds.
	Log io.Writer

	root string
	cli  cli.CLI
	env  []string
}

// New creates an empty workspace. root is the project's directory.
func New(root string, tool cli.CLI) (*Workspace, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "kuscia-provider-")
	if err != nil {
		return nil, err
	}
	w := &Workspace{Dir: dir, Log: io.Discard, root: root, cli: tool}
	config := fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", w.mirror())
	configFile := filepath.Join(dir, "cli.tfrc")
	if err := os.WriteFile(configFile, []byte(config), 0o600); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	w.env = append(cli.CleanEnv(os.Environ()), "TF_CLI_CONFIG_FILE="+configFile, "TF_IN_AUTOMATION=1")
	return w, nil
}

// Close removes the workspace.
func (w *Workspace) Close() error { return os.RemoveAll(w.Dir) }

// CLI returns the CLI of the workspace.
func (w *Workspace) CLI() cli.CLI { return w.cli }

func (w *Workspace) mirror() string { return filepath.Join(w.Dir, "mirror") }

// InstallProvider builds the provider into the mirror.
func (w *Workspace) InstallProvider(ctx context.Context) error {
	binary := filepath.Join(w.mirror(), w.cli.RegistryHost(), filepath.FromSlash(Source), version,
		runtime.GOOS+"_"+runtime.GOARCH, "terraform-provider-kuscia_v"+version)
	return w.Build(ctx, ".", binary)
}

// Build compiles a main package of the project.
func (w *Workspace) Build(ctx context.Context, pkg, binary string) error {
	name, _, _ := strings.Cut(filepath.Base(binary), "_")
	return gobuild.Program{Name: name, Dir: w.root, Package: pkg, Output: binary, Log: w.Log, Run: Run}.Build(ctx)
}

// CopyConfiguration copies the Terraform files of a directory of the project to
// a directory of the workspace and returns its path. Files that the CLI writes
// next to its configuration are then not written to the project.
func (w *Workspace) CopyConfiguration(from string) (string, error) {
	source := filepath.Join(w.root, from)
	target := filepath.Join(w.Dir, filepath.Base(from))
	if err := os.MkdirAll(target, 0o755); err != nil {
		return "", err
	}
	entries, err := fs.ReadDir(os.DirFS(source), ".")
	if err != nil {
		return "", err
	}
	copied := 0
	for _, entry := range entries {
		if entry.IsDir() || !strings.HasSuffix(entry.Name(), ".tf") {
			continue
		}
		content, err := os.ReadFile(filepath.Join(source, entry.Name()))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(target, entry.Name()), content, 0o644); err != nil {
			return "", err
		}
		copied++
	}
	if copied == 0 {
		return "", fmt.Errorf("%s has no .tf file", source)
	}
	return target, nil
}

// Setenv adds a variable to the environment of the CLI.
func (w *Workspace) Setenv(name, value string) { w.env = append(w.env, name+"="+value) }

// Command returns a call of the CLI in a directory, for Run.
func (w *Workspace) Command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, w.cli.Path, args...)
	cmd.Dir = dir
	cmd.Env = w.env
	return cmd
}

// Output runs the CLI and returns its standard output. Errors include the
// output of the CLI.
func (w *Workspace) Output(ctx context.Context, dir string, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := w.Command(ctx, dir, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := Run(cmd); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s%s", filepath.Base(w.cli.Path), strings.Join(args, " "), err, stdout.Bytes(), stderr.Bytes())
	}
	return stdout.Bytes(), nil
}
