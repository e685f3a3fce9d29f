//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// profilesVariable is the prefix of the files of testdata/profiled.
const profilesVariable = "KUSCIA_BENCH_PROFILES"

// profile plans, destroys and creates all servings with a provider that writes
// profiles. The runs are not measured, because profiling takes time.
func (b *bench) profile(ctx context.Context, _ *kusciaSandbox, own string, _ int) error {
	for _, command := range [][]string{
		{"plan", "-detailed-exitcode"},
		{"destroy", "-auto-approve", applyParallelism},
		{"apply", "-auto-approve", applyParallelism},
	} {
		if err := b.profiled(ctx, own, command[0], command...); err != nil {
			return err
		}
	}
	return nil
}

// profiled runs the CLI with a provider that writes profiles into files whose
// names begin with name, if profiles are wanted.
func (b *bench) profiled(ctx context.Context, dir, name string, command ...string) error {
	if b.profiles == "" {
		return nil
	}
	folder, err := filepath.Abs(b.profiles)
	if err != nil {
		return err
	}
	b.logf("Writing profiles of %q to %s.", name, b.profiles)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	b.ws.Setenv("TF_CLI_CONFIG_FILE", b.path("profiled.tfrc"))
	defer b.ws.Setenv("TF_CLI_CONFIG_FILE", b.path("probed.tfrc"))
	b.ws.Setenv(profilesVariable, filepath.Join(folder, strings.NewReplacer(" ", "-", ",", "").Replace(name)))
	if _, err := b.ws.Output(ctx, dir, append(command, "-no-color")...); err != nil {
		return fmt.Errorf("profile of %s: %w", name, err)
	}
	return nil
}

// prepareProfiles builds the provider that writes profiles.
func (b *bench) prepareProfiles(ctx context.Context) error {
	if b.profiles == "" {
		return nil
	}
	return errors.Join(
		os.MkdirAll(b.path("profiled"), 0o755),
		b.build(ctx, "profiled/terraform-provider-kuscia", "./internal/tools/cmd/bench/testdata/profiled/main.go"),
		b.cliConfig("profiled"),
	)
}
