package sandbox

import (
	"fmt"
	"net/http"
	"testing"

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
		if err != nil || len(domain.DeployTokenStatuses) == 0 {
			return fmt.Errorf("none yet: %w", err)
		}
		token = domain.DeployTokenStatuses[0].Token
		return nil
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
