// Package acctest helps acceptance tests: tests that run the real CLI against
// the provider and a Kuscia. By default every test has a sandbox of its own;
// with KUSCIA_ENDPOINT set (and the provider's other environment variables
// where needed) they run against that Kuscia, which has the domains alice and
// bob.
//
// Import it from external test packages (package x_test) only.
package acctest

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// Env is the Kuscia that one test runs against.
type Env struct {
	// API talks to that Kuscia beside the provider.
	API *kuscia.Client
	// Sandbox is that Kuscia, or nil when it is a real one.
	Sandbox *sandbox.Sandbox

	t testing.TB
	// getenv is the environment of the provider under test.
	getenv func(string) string
}

// New returns the Kuscia that KUSCIA_ENDPOINT names, or a sandbox of the
// test's own.
func New(tb testing.TB) *Env {
	tb.Helper()
	if os.Getenv("KUSCIA_ENDPOINT") == "" {
		return NewSandbox(tb, sandbox.Options{})
	}
	return newEnv(tb, nil, os.Getenv)
}

// NewSandbox returns a sandbox of the test's own with the given options, also
// when KUSCIA_ENDPOINT is set. It is closed when the test ends.
func NewSandbox(tb testing.TB, options sandbox.Options) *Env {
	tb.Helper()
	if options.CertsDir == "" {
		options.CertsDir = tb.TempDir()
	}
	s, err := sandbox.Start(context.Background(), options)
	if err != nil {
		tb.Fatalf("starting the sandbox: %v", err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Errorf("closing the sandbox: %v", err)
		}
	})
	return newEnv(tb, s, environment(map[string]string{
		"KUSCIA_ENDPOINT":  s.Endpoint(),
		"KUSCIA_CERTS_DIR": s.CertsDir(),
	}))
}

func newEnv(tb testing.TB, s *sandbox.Sandbox, getenv func(string) string) *Env {
	tb.Helper()
	config, err := provider.ConfigFromEnvironment(getenv, os.ReadFile)
	if err != nil {
		tb.Fatalf("settings of the test's own client: %v", err)
	}
	config.UserAgent = "terraform-provider-kuscia/test"
	api, err := kuscia.New(config)
	if err != nil {
		tb.Fatalf("the test's own client: %v", err)
	}
	return &Env{API: api, Sandbox: s, t: tb, getenv: getenv}
}

// RequireSandbox skips the test on a real Kuscia.
func (e *Env) RequireSandbox(tb testing.TB, reason string) {
	tb.Helper()
	if e.Sandbox == nil {
		tb.Skipf("only against the sandbox: %s", reason)
	}
}

// outOfBandTimeout bounds what a test does beside the provider.
const outOfBandTimeout = 2 * time.Minute

// Do returns a function for TestStep.PreConfig that does something behind
// Terraform's back. An error ends the test.
func (e *Env) Do(f func(ctx context.Context, api *kuscia.Client) error) func() {
	return func() {
		e.t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), outOfBandTimeout)
		defer cancel()
		if err := f(ctx, e.API); err != nil {
			e.t.Fatalf("out of band: %v", err)
		}
	}
}

func environment(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}
