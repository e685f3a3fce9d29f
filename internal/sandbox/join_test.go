package sandbox

import (
	"errors"
	"net/http"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// TestANodeJoinsWithItsToken: a node waits for the token of its domain, and joins again
// when the domain is created again.
func TestANodeJoinsWithItsToken(t *testing.T) {
	t.Parallel()
	ctx, master := t.Context(), startSandbox(t, Options{})
	node, client := startSandbox(t, Options{Lite: "carol", Master: master}), clientFor(t, master)
	joins := func(token string, want, nodes int) {
		t.Helper()
		code, _ := send(t, master, http.MethodPost, adminPrefix+"join", `{"token": "`+token+`"}`)
		if domain, err := client.QueryDomain(ctx, "carol"); err != nil || code != want || len(domain.NodeStatuses) != nodes {
			t.Errorf("status %d, want %d; %d nodes, want %d; %v", code, want, len(domain.NodeStatuses), nodes, err)
		}
	}
	must(t, client.CreateDomain(ctx, &kuscia.DomainRequest{DomainID: "carol"}))
	token := ""
	eventually(t, "token", func() error {
		domain, err := client.QueryDomain(ctx, "carol")
		if err != nil || len(domain.DeployTokenStatuses) == 0 {
			return errors.Join(errors.New("none yet"), err)
		}
		token = domain.DeployTokenStatuses[0].Token
		return nil
	})
	joins("of nobody", http.StatusBadRequest, 0)
	joins(token, http.StatusNoContent, 1)
	joins(token, http.StatusNoContent, 1) // it starts again
	if names := node.DataSourceNames("carol"); len(names) != 1 {
		t.Errorf("data sources %v", names)
	}
	must(t, client.DeleteDomain(ctx, "carol"))
	must(t, client.CreateDomain(ctx, &kuscia.DomainRequest{DomainID: "carol"}))
	eventually(t, "node of the new domain", func() error {
		if domain, err := client.QueryDomain(ctx, "carol"); err != nil || len(domain.NodeStatuses) != 1 {
			return errors.Join(errors.New("none yet"), err)
		}
		return nil
	})
	joins(token, http.StatusBadRequest, 1) // that of the deleted domain
}
