package domain_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

type attrs = map[string]any

// newID returns a unique domain ID.
func newID(e *acctest.Env, what string) string { return strings.ReplaceAll(e.Name(what), ".", "-") }

// create creates a domain outside of Terraform.
func create(t *testing.T, e *acctest.Env, request *kuscia.DomainRequest) {
	t.Helper()
	e.Do(func(ctx context.Context, api *kuscia.Client) error { return api.CreateDomain(ctx, request) })()
	remove(e, request.DomainID)
}

// remove deletes a domain when the test ends.
func remove(e *acctest.Env, id string) {
	e.Cleanup(func(ctx context.Context, api *kuscia.Client) error {
		if err := api.DeleteDomain(ctx, id); !errors.Is(err, kuscia.ErrNotFound) {
			return err
		}
		return nil
	})
}

// stored is a domain in Kuscia.
func stored(t *testing.T, e *acctest.Env, id string) *kuscia.Domain {
	t.Helper()
	found, err := e.API.QueryDomain(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// tokensOf returns the deploy tokens of a domain.
func tokensOf(t *testing.T, e *acctest.Env, id string) []string {
	t.Helper()
	var tokens []string
	for _, status := range stored(t, e, id).DeployTokenStatuses {
		tokens = append(tokens, status.Token)
	}
	if len(tokens) == 0 {
		t.Fatalf("domain %s has no deploy token", id)
	}
	return tokens
}
