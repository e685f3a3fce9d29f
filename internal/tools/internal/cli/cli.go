// Package cli finds the Terraform or OpenTofu CLI that the project's commands
// use, and builds OpenTofu if neither is installed.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
)

// Product is one of the two CLIs.
type Product string

// Products, with the names that they print.
const (
	Terraform Product = "Terraform"
	OpenTofu  Product = "OpenTofu"
)

// The oldest release that supports the tests and the demo, the same number for
// both products: import blocks, removed blocks, provider functions.
const (
	minMajor = 1
	minMinor = 8
)

// PathVariable is the environment variable with the path of the CLI;
// terraform-plugin-testing reads it too.
const PathVariable = "TF_ACC_TERRAFORM_PATH"

// CLI is an installed CLI with its version.
type CLI struct {
	Path    string
	Product Product
	Version string
}

// String returns a readable name of the CLI.
func (c CLI) String() string { return fmt.Sprintf("%s %s (%s)", c.Product, c.Version, c.Path) }

// RegistryHost is the default host of a provider source.
func (c CLI) RegistryHost() string {
	if c.Product == OpenTofu {
		return "registry.opentofu.org"
	}
	return "registry.terraform.io"
}

// Finder selects a CLI: the one in TF_ACC_TERRAFORM_PATH, then terraform and
// tofu in PATH, then an OpenTofu built into BinDir.
type Finder struct {
	// BinDir is the directory of a built OpenTofu.
	BinDir string
	// Log receives progress messages and notes.
	Log io.Writer

	getenv   func(string) string
	lookPath func(string) (string, error)
	inspect  func(ctx context.Context, path string) (CLI, error)
	build    func(ctx context.Context, path string, log io.Writer) error
}

// NewFinder returns a Finder for this machine.
func NewFinder(binDir string, log io.Writer) *Finder {
	return &Finder{
		BinDir:   binDir,
		Log:      log,
		getenv:   os.Getenv,
		lookPath: exec.LookPath,
		inspect:  Inspect,
		build:    BuildOpenTofu,
	}
}

// Find returns the CLI to use.
func (f *Finder) Find(ctx context.Context) (CLI, error) {
	if path := f.getenv(PathVariable); path != "" {
		found, err := f.inspect(ctx, path)
		if err != nil {
			return CLI{}, fmt.Errorf("%s is set to %q: %w", PathVariable, path, err)
		}
		return found, nil
	}

	for _, name := range []string{"terraform", "tofu"} {
		path, err := f.lookPath(name)
		if errors.Is(err, exec.ErrNotFound) {
			continue
		}
		if err != nil {
			return CLI{}, fmt.Errorf("look for %s: %w", name, err)
		}
		found, err := f.inspect(ctx, path)
		if err == nil {
			err = found.supported()
		}
		if err != nil {
			fmt.Fprintf(f.Log, "%s is not used: %v\n", path, err)
			continue
		}
		return found, nil
	}
	return f.OpenTofu(ctx)
}

// OpenTofu returns the OpenTofu in BinDir. It builds it if it is missing or has
// another version.
func (f *Finder) OpenTofu(ctx context.Context) (CLI, error) {
	path := filepath.Join(f.BinDir, "tofu")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if found, err := f.inspect(ctx, path); err == nil && found.Version == OpenTofuVersion {
		return found, nil
	}
	if err := f.build(ctx, path, f.Log); err != nil {
		return CLI{}, fmt.Errorf("build OpenTofu %s: %w", OpenTofuVersion, err)
	}
	found, err := f.inspect(ctx, path)
	if err != nil {
		return CLI{}, fmt.Errorf("the OpenTofu just built: %w", err)
	}
	return found, nil
}

// supported rejects a CLI that is too old for the tests and the demo.
func (c CLI) supported() error {
	var major, minor int
	if _, err := fmt.Sscanf(c.Version, "%d.%d.", &major, &minor); err != nil {
		return fmt.Errorf("its version %q is not understood", c.Version)
	}
	if major > minMajor || major == minMajor && minor >= minMinor {
		return nil
	}
	return fmt.Errorf("it is %s %s and %d.%d or later is needed", c.Product, c.Version, minMajor, minMinor)
}

// versionPattern matches the first line of the output of "version".
var versionPattern = regexp.MustCompile(`^(Terraform|OpenTofu) v(\d\S*)`)

// Inspect runs a program to determine its product and version.
func Inspect(ctx context.Context, path string) (CLI, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return CLI{}, err
	}
	cmd := exec.CommandContext(ctx, path, "version")
	cmd.Env = append(os.Environ(), "CHECKPOINT_DISABLE=1", "TF_CLI_CONFIG_FILE="+os.DevNull)
	out, err := cmd.Output()
	if err != nil {
		return CLI{}, fmt.Errorf("%s version: %w", path, err)
	}
	match := versionPattern.FindSubmatch(out)
	if match == nil {
		return CLI{}, fmt.Errorf("%s is neither Terraform nor OpenTofu", path)
	}
	return CLI{Path: path, Product: Product(match[1]), Version: string(match[2])}, nil
}
