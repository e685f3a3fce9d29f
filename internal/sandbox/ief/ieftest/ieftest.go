// Package ieftest starts a simulated IEF for a test.
package ieftest

import (
	"context"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
)

// Start starts a server, which ends after the test and its cleanups.
func Start(tb testing.TB, options ief.Options) *ief.Server {
	tb.Helper()
	server, err := ief.Start(context.Background(), options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := server.Close(); err != nil {
			tb.Error(err)
		}
	})
	return server
}
