package sandbox

import (
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
)

// clientFor is the provider's client for a sandbox.
func clientFor(t *testing.T, s *Sandbox) *kuscia.Client {
	t.Helper()
	client, err := kuscia.New(kuscia.Config{Endpoint: s.Endpoint(), Token: s.Token(), RequestTimeout: time.Minute})
	must(t, err)
	return client
}

// eventually waits in real time until a check succeeds.
func eventually(t *testing.T, what string, check func() error) {
	t.Helper()
	if err := settles(check); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// settles is the error of a check that does not succeed within a minute.
func settles(check func() error) error {
	err := check()
	for deadline := time.Now().Add(time.Minute); err != nil && time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		err = check()
	}
	return err
}

// TestStaleConfig covers what a client reads that is faster than the cache of
// the node.
func TestStaleConfig(t *testing.T) {
	s := frozen(t, Options{StaleConfig: 1, Timing: cluster.RealTiming()})
	value := func() string {
		return ask(s, "config/query", &domain.QueryConfigRequest{Key: "k"}).Value
	}
	write := func(value string) []kuscia.ConfigEntry { return []kuscia.ConfigEntry{{Key: "k", Value: value}} }
	must(t, ask(s, "config/create", &domain.CreateConfigRequest{Data: write("1")}).err())
	must(t, ask(s, "config/create", &domain.CreateConfigRequest{Data: write("2")}).err()) // overwrites
	must(t, ask(s, "config/delete", &domain.DeleteConfigRequest{Keys: []string{"k"}}).err())
	if got := value(); got != "" {
		t.Errorf("before the cache: %q", got)
	}
	s.Advance(200 * time.Millisecond)
	if got := value(); got != "2" {
		t.Errorf("the delete was not lost: %q", got)
	}
	if code := ask(s, "config/create", &domain.CreateConfigRequest{Data: write("3")}).Status.Code; code != domain.CodeCreateConfig {
		t.Errorf("create of a key that is there: %d", code)
	}
	must(t, ask(s, "config/delete", &domain.DeleteConfigRequest{Keys: []string{"k"}}).err())
	if got := value(); got != "2" {
		t.Errorf("right after the delete: %q", got)
	}
	s.Advance(200 * time.Millisecond)
	if got := value(); got != "" {
		t.Errorf("after the delete: %q", got)
	}
}
