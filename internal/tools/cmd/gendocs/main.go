//go:build unix

// Command gendocs formats examples/ and writes docs/ from the provider's
// schema, templates/ and examples/. It is "make generate".
//
// The schema comes from the CLI at hand and from the provider of this checkout,
// so that nothing is downloaded; it is the same with Terraform and OpenTofu.
package main

import (
	"context"
	"encoding/json"
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
	schema, err := readSchema(ctx, ws)
	if err != nil {
		return err
	}
	schemaFile := filepath.Join(ws.Dir, "schema.json")
	if err := os.WriteFile(schemaFile, schema, 0o600); err != nil {
		return err
	}
	tfplugindocs := filepath.Join(binDir, "tfplugindocs")
	for _, command := range []string{"generate", "validate"} {
		// Both print every file that they touch; that matters when they fail.
		cmd := exec.CommandContext(ctx, tfplugindocs, command, "--provider-dir", root, "--provider-name", providerName, "--providers-schema", schemaFile)
		if out, err := workspace.RunQuietly(cmd); err != nil {
			return fmt.Errorf("tfplugindocs %s: %w\n%s", command, err, out)
		}
	}
	fmt.Printf("docs/ is up to date with the provider, templates/ and examples/ (%s).\n", tool)
	return nil
}

// readSchema asks the CLI for the schema of the provider of this checkout.
func readSchema(ctx context.Context, ws *workspace.Workspace) ([]byte, error) {
	if err := ws.InstallProvider(ctx); err != nil {
		return nil, err
	}
	dir := filepath.Join(ws.Dir, "schema")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	config := fmt.Sprintf("terraform {\n  required_providers {\n    %s = { source = %q }\n  }\n}\n", providerName, workspace.Source)
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(config), 0o600); err != nil {
		return nil, err
	}
	if _, err := ws.Output(ctx, dir, "init", "-input=false", "-no-color"); err != nil {
		return nil, err
	}
	schemas, err := ws.Output(ctx, dir, "providers", "schema", "-json")
	if err != nil {
		return nil, err
	}
	return underShortName(schemas, ws.CLI().RegistryHost()+"/"+workspace.Source)
}

// underShortName keeps one provider's schema, under the provider's short name:
// tfplugindocs looks for that, and the registry in the full name depends on the CLI.
func underShortName(schemas []byte, address string) ([]byte, error) {
	var document struct {
		FormatVersion   string                     `json:"format_version"`
		ProviderSchemas map[string]json.RawMessage `json:"provider_schemas"`
	}
	if err := json.Unmarshal(schemas, &document); err != nil {
		return nil, fmt.Errorf("schema of the provider: %w", err)
	}
	schema, ok := document.ProviderSchemas[address]
	if !ok {
		return nil, fmt.Errorf("schema of the provider: no %s in it", address)
	}
	document.ProviderSchemas = map[string]json.RawMessage{providerName: schema}
	return json.Marshal(document)
}
