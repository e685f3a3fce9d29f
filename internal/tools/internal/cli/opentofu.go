package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/gobuild"
)

// OpenTofuVersion is the version that is built if no CLI is installed.
const OpenTofuVersion = "1.12.6"

const openTofuModule = "github.com/opentofu/opentofu"

// BuildOpenTofu downloads OpenTofu's Go module and builds it to path.
//
// "go install module@version" rejects this module because of its replace
// directives, so the build runs in the module's own directory, as in OpenTofu's
// releases.
func BuildOpenTofu(ctx context.Context, path string, log io.Writer) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	// A separate directory: concurrent builds do not interfere, and path is
	// always a complete program.
	work, err := os.MkdirTemp(filepath.Dir(path), "opentofu-build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)

	fmt.Fprintf(log, "No Terraform or OpenTofu here: building OpenTofu %s from its Go module into %s.\n", OpenTofuVersion, path)
	fmt.Fprintln(log, "This happens once and takes about five minutes on two cores.")

	source, err := downloadModule(ctx, openTofuModule+"@v"+OpenTofuVersion, work)
	if err != nil {
		return err
	}
	program := filepath.Join(work, "tofu")
	start := time.Now()
	build := gobuild.Program{
		Name: "OpenTofu", Dir: source, Package: "./cmd/tofu", Output: program, Env: goEnv(), Log: log, Run: (*exec.Cmd).Run,
		Flags: []string{"-mod=readonly", "-trimpath", "-ldflags", "-s -w -X " + openTofuModule + "/version.dev=no"},
	}
	if err := build.Build(ctx); err != nil {
		return err
	}
	if err := os.Rename(program, path); err != nil {
		return err
	}
	fmt.Fprintf(log, "OpenTofu %s built in %s.\n", OpenTofuVersion, time.Since(start).Round(time.Second))
	return nil
}

// downloadModule downloads a module and returns its directory in the module
// cache. work is a directory outside of any module, so that no go.mod applies.
func downloadModule(ctx context.Context, module, work string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir, cmd.Env = work, goEnv()
	out, err := cmd.Output()

	var response struct{ Dir, Error string }
	if decodeErr := json.Unmarshal(out, &response); decodeErr == nil && response.Error != "" {
		return "", fmt.Errorf("download %s: %s", module, response.Error)
	}
	if err != nil {
		return "", fmt.Errorf("download %s: %w", module, err)
	}
	if response.Dir == "" {
		return "", fmt.Errorf("download %s: no folder in the response of go mod download", module)
	}
	return response.Dir, nil
}

// goEnv returns the environment of the go command without the caller's workspace and
// flags.
func goEnv() []string { return append(os.Environ(), "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0") }
