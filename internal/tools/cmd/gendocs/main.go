//go:build unix

// Command gendocs formats examples/ and generates docs/ from the provider's
// schema, templates/ and examples/, and llms.txt from docs/. "make generate" runs it.
//
// The schema is read from the provider of this checkout directly. A CLI would
// omit parts that its version does not know, for example list resources and
// actions. Nothing is downloaded.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/cli"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/workspace"
)

// providerName is the provider's name in configurations and in docs.
const providerName = "kuscia"

func main() {
	root := flag.String("root", ".", "folder of the project")
	binDir := flag.String("bin", ".bin", "folder of tfplugindocs and of a built OpenTofu")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	if err := run(ctx, *root, *binDir); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, binDir string) (err error) {
	tool, err := cli.NewFinder(binDir, os.Stderr).Find(ctx)
	if err != nil {
		return err
	}
	ws, err := workspace.New(root, tool)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ws.Close()) }()

	if _, err := ws.Output(ctx, root, "fmt", "-recursive", "examples"); err != nil {
		return err
	}
	program := filepath.Join(ws.Dir, "provider-schema")
	if err := ws.Build(ctx, "./internal/cmd/provider-schema", program); err != nil {
		return err
	}
	schema, err := output(ctx, program)
	if err != nil {
		return err
	}
	schemaFile := filepath.Join(ws.Dir, "schema.json")
	if err := os.WriteFile(schemaFile, schema, 0o600); err != nil {
		return err
	}
	tfplugindocs := filepath.Join(binDir, "tfplugindocs")
	for _, command := range []string{"generate", "validate"} {
		// Both print every file that they change, which is only useful if they
		// fail.
		cmd := exec.CommandContext(ctx, tfplugindocs, command, "--provider-dir", root, "--provider-name", providerName, "--providers-schema", schemaFile)
		if out, err := workspace.RunQuietly(cmd); err != nil {
			return fmt.Errorf("tfplugindocs %s: %w\n%s", command, err, out)
		}
	}
	effects, err := output(ctx, program, "-effects")
	if err != nil {
		return err
	}
	if err := fillPages(root, effects); err != nil {
		return err
	}
	texts, err := output(ctx, program, "-versions")
	if err != nil {
		return err
	}
	if err := fillVersions(root, texts); err != nil {
		return err
	}
	if err := writeLLMs(root); err != nil {
		return err
	}
	fmt.Printf("docs/ is up to date with the provider, templates/ and examples/ (%s).\n", tool)
	return nil
}

// output is what a program prints.
func output(ctx context.Context, program string, args ...string) ([]byte, error) {
	var out, complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := workspace.Run(cmd); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, complaint.Bytes())
	}
	return out.Bytes(), nil
}
