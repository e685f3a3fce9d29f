// Package acctest helps acceptance tests: tests that run the real CLI with the
// provider and a Kuscia. By default every test has its own sandbox; with
// KUSCIA_ENDPOINT set (and the provider's other environment variables if
// needed) they use that Kuscia, which needs the domains alice and bob.
//
// Import it from external test packages (package x_test) only.
package acctest

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// Env is the Kuscia of a test.
type Env struct {
	// API is a client for that Kuscia, independent of the provider.
	API *kuscia.Client
	// Sandbox is that Kuscia, or nil for a real one.
	Sandbox *sandbox.Sandbox

	t testing.TB
	// getenv is the environment of the provider under test.
	getenv func(string) string
}

// New returns the Kuscia in KUSCIA_ENDPOINT, or a new sandbox.
func New(tb testing.TB) *Env {
	tb.Helper()
	if os.Getenv("KUSCIA_ENDPOINT") == "" {
		return NewSandbox(tb, sandbox.Options{})
	}
	return newEnv(tb, nil, os.Getenv)
}

// NewSandbox returns a new sandbox with the given options, even if
// KUSCIA_ENDPOINT is set. It is closed when the test ends.
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

// RequireDefaultDataSource skips the test on a real Kuscia whose domain has no
// default-data-source: the node of the domain creates it at its first start, and
// a master refuses to.
func (e *Env) RequireDefaultDataSource(tb testing.TB, domainID string) {
	tb.Helper()
	const name = "default-data-source"
	if _, err := e.API.QueryDomainDataSource(tb.Context(), kuscia.DomainDataSourceKey{DomainID: domainID, DataSourceID: name}); errors.Is(err, apierror.ErrNotFound) {
		tb.Skipf("domain %s has no %s: its node has never been started", domainID, name)
	}
}

// outOfBandTimeout limits what a test does outside of the provider.
const outOfBandTimeout = 2 * time.Minute

// Do returns a function for TestStep.PreConfig that changes something outside
// of Terraform. An error ends the test.
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

// Cleanup does something outside of Terraform when the test ends.
func (e *Env) Cleanup(f func(ctx context.Context, api *kuscia.Client) error) { e.t.Cleanup(e.Do(f)) }

func environment(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}
