package sandbox

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// TestANodeJoinsWithItsToken: a node waits for the token of its domain, and joins again
// when the domain is created again.
func TestANodeJoinsWithItsToken(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	master := startSandbox(t, Options{})
	node := startSandbox(t, Options{Lite: "carol", Master: master})
	client := clientFor(t, master)
	nodes := func() int {
		domain, err := client.QueryDomain(ctx, "carol")
		must(t, err)
		return len(domain.NodeStatuses)
	}
	join := func(token string) int {
		code, _ := adminCall(t, master, http.MethodPost, "join", fmt.Sprintf("{%q: %q}", "token", token))
		return code
	}
	must(t, client.CreateDomain(ctx, &kuscia.DomainRequest{DomainID: "carol"}))
	token := ""
	eventually(t, "token", func() error {
		domain, err := client.QueryDomain(ctx, "carol")
		if err == nil && len(domain.DeployTokenStatuses) == 0 {
			return fmt.Errorf("none yet")
		}
		if err == nil {
			token = domain.DeployTokenStatuses[0].Token
		}
		return err
	})
	if code := join("of nobody"); code != http.StatusBadRequest || nodes() != 0 {
		t.Errorf("with an unknown token: status %d, %d nodes", code, nodes())
	}
	for range 2 { // it starts, and starts again
		if code := join(token); code != http.StatusNoContent || nodes() != 1 {
			t.Errorf("with its token: status %d, %d nodes", code, nodes())
		}
	}
	if names := node.DataSourceNames("carol"); len(names) != 1 {
		t.Errorf("data sources %v", names)
	}

	must(t, client.DeleteDomain(ctx, "carol"))
	must(t, client.CreateDomain(ctx, &kuscia.DomainRequest{DomainID: "carol"}))
	eventually(t, "node of the new domain", func() error {
		if nodes() != 1 {
			return fmt.Errorf("none yet")
		}
		return nil
	})
	if code := join(token); code != http.StatusBadRequest {
		t.Errorf("with the token of the deleted domain: status %d", code)
	}
}

// TestAClosedNodeDoesNotJoin: only a node that runs joins a domain that is created again.
func TestAClosedNodeDoesNotJoin(t *testing.T) {
	master := frozen(t, Options{})
	node := startSandbox(t, Options{Lite: "alice", Master: master})
	client := clientFor(t, master)
	for _, closed := range []bool{false, true} {
		if closed {
			must(t, node.Close())
		}
		must(t, client.DeleteDomain(t.Context(), "alice"))
		must(t, client.CreateDomain(t.Context(), &kuscia.DomainRequest{DomainID: "alice"}))
		master.Advance(time.Minute)
		domain, err := client.QueryDomain(t.Context(), "alice")
		must(t, err)
		if joined := len(domain.NodeStatuses) > 0; joined == closed {
			t.Errorf("closed: %t, joined: %t", closed, joined)
		}
	}
}
