package domain_test

import (
	"context"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const (
	address = "kuscia_domain.test"

	pathCreate = "/api/v1/domain/create"
	pathUpdate = "/api/v1/domain/update"
	pathDelete = "/api/v1/domain/delete"
	pathQuery  = "/api/v1/domain/query"
	pathBatch  = "/api/v1/domain/batchQuery"
)

type attrs = map[string]any

// config returns the configuration of a domain with additional lines of HCL.
func config(id string, lines ...string) string {
	return acctest.Block("kuscia_domain", "test", map[string]any{"domain_id": id, "more": acctest.Lines(strings.Join(lines, "\n"))})
}

// lookup returns the configuration of the data source of a domain.
func lookup(id any) string {
	return acctest.DataBlock("kuscia_domain", "test", map[string]any{"domain_id": id})
}

// newID returns a unique domain ID.
func newID(e *acctest.Env, what string) string { return strings.ReplaceAll(e.Name(what), ".", "-") }

// object is a domain with the default values.
func object(id string) acctest.Object {
	return acctest.Object{
		Address: address, Config: config(id), ID: id, Identity: map[string]string{"domain_id": id}, Unread: []string{"wait_for_deploy_token", "timeouts"},
		Create: func(ctx context.Context, api *kuscia.Client) error {
			return api.CreateDomain(ctx, &kuscia.DomainRequest{DomainID: id})
		},
		Query:  func(ctx context.Context, api *kuscia.Client) (any, error) { return api.QueryDomain(ctx, id) },
		Delete: func(ctx context.Context, api *kuscia.Client) error { return api.DeleteDomain(ctx, id) },
	}
}

// change updates a domain outside of Terraform. An update is not a patch:
// unchanged fields are sent as well.
func change(e *acctest.Env, id string, how func(*kuscia.DomainRequest)) func() {
	return e.Do(func(ctx context.Context, api *kuscia.Client) error {
		found, err := api.QueryDomain(ctx, id)
		if err != nil {
			return err
		}
		request := &kuscia.DomainRequest{
			DomainID: id, Role: found.Role, Cert: found.Cert, AuthCenter: found.AuthCenter, MasterDomainID: found.MasterDomainID,
		}
		how(request)
		return api.UpdateDomain(ctx, request)
	})
}

// create creates a domain outside of Terraform.
func create(t *testing.T, e *acctest.Env, request *kuscia.DomainRequest) {
	t.Helper()
	e.Do(func(ctx context.Context, api *kuscia.Client) error { return api.CreateDomain(ctx, request) })()
	t.Cleanup(e.Do(func(ctx context.Context, api *kuscia.Client) error {
		if err := api.DeleteDomain(ctx, request.DomainID); !errors.Is(err, kuscia.ErrNotFound) {
			return err
		}
		return nil
	}))
}

// onServer returns a check of the domain in Kuscia.
func onServer(e *acctest.Env, id string, check func(*kuscia.Domain) error) resource.TestCheckFunc {
	return func(*terraform.State) error {
		found, err := e.API.QueryDomain(context.Background(), id)
		if err != nil {
			return err
		}
		return check(found)
	}
}

// certificate returns a certificate that the Kuscia under test has: that of its
// CA.
func certificate(t *testing.T, e *acctest.Env) (asPEM, encoded string) {
	t.Helper()
	master, err := e.API.QueryDomain(t.Context(), kuscia.MasterDomain)
	if err != nil {
		t.Fatal(err)
	}
	text, err := base64.StdEncoding.DecodeString(master.Cert)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	return string(pem.EncodeToMemory(block)), master.Cert
}
