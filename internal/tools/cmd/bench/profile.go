//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// profilesVariable is the prefix of the files of testdata/profiled.
const profilesVariable = "KUSCIA_BENCH_PROFILES"

// profile plans, destroys and creates all servings with a provider that writes
// profiles. The runs are not measured, because profiling takes time.
func (b *bench) profile(ctx context.Context, _ *kusciaSandbox, own string, _ int) error {
	if b.profiles == "" {
		return nil
	}
	b.logf("Writing profiles to %s.", b.profiles)
	folder, err := filepath.Abs(b.profiles)
	if err != nil {
		return err
	}
	if err := errors.Join(
		os.MkdirAll(folder, 0o755),
		os.MkdirAll(b.path("profiled"), 0o755),
		b.build(ctx, "profiled/terraform-provider-kuscia", "./internal/tools/cmd/bench/testdata/profiled/main.go"),
		b.cliConfig("profiled"),
	); err != nil {
		return err
	}
	b.ws.Setenv("TF_CLI_CONFIG_FILE", b.path("profiled.tfrc"))
	for _, command := range [][]string{
		{"plan", "-detailed-exitcode"},
		{"destroy", "-auto-approve", applyParallelism},
		{"apply", "-auto-approve", applyParallelism},
	} {
		b.ws.Setenv(profilesVariable, filepath.Join(folder, command[0]))
		if _, err := b.ws.Output(ctx, own, append(command, "-no-color")...); err != nil {
			return fmt.Errorf("profile of %s: %w", command[0], err)
		}
	}
	return nil
}
