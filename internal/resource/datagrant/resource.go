package datagrant

import (
	"context"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// dataGrant defines kuscia_domain_data_grant.
var dataGrant = crud.New(crud.Spec[grant]{
	Type: "domain_data_grant", Title: "grant",
	Schema: grantSchema(),
	Identity: crud.Identity{
		Attributes: []crud.IdentityAttribute{
			{Name: attrDomainID, Description: "Domain that owns the data.", Problem: kuscia.CheckObjectID},
			{Name: attrGrantID, Description: "ID of the grant in the domain.", Problem: kuscia.CheckObjectID},
		},
		Moved: movestate.Kind{
			Request:  movestate.Request{IdentifyingAttribute: "grant_domain", ID: []string{"domain_id", "domaindatagrant_id"}},
			Manifest: movestate.Manifest{Group: kuscia.Group, Kind: "DomainDataGrant", Namespaced: true},
		},
	},
	ToWire: toWire, FromWire: fromWire,
	Responses: crud.Responses[grant]{Unmanageable: isCopy},
	API:       calls, CustomResource: customResource,
	Needs: versions.Need{
		Feature: versions.GrantIDs, Without: "which would store the grant under an ID of its own, so that nobody could read or revoke it here",
	},
	BulkRead: listing.BulkRead(),
	Checks:   crud.Checks[grant]{Object: checkGrant, References: references},
	Writes:   crud.Writes[grant]{AfterCreate: processed},
	Deletion: crud.Deletion{With: &crud.DeletedWith{
		TypeName: "kuscia_domain_data",
		ID: func(attributes map[string]definition.Value) crud.ID {
			return crud.ID{definition.StringOf(attributes[attrDomainID]), definition.StringOf(attributes[attrDomainDataID])}
		},
		Why: "Its domain data is replaced, and Kuscia deletes the grants of domain data with it. The grant is created again after the data.",
	}},
})

var (
	lookup = dataGrant.NewDataSource("One grant with its phase, looked up by its ID. The plan fails if it does not exist. " +
		"With the grantee as `domain_id` it is the grantee's copy, whose phase is correct within a second of a change; that of the grant itself may be up to ten minutes old.")
	all    = dataGrant.NewListDataSource(listing)
	listed = dataGrant.NewListResource(listing)
)

// calls are the API calls for grants.
func calls(c *run.Run) crud.API[grant] {
	return crud.API[grant]{
		Create: func(ctx context.Context, desired *grant) error {
			_, err := c.Kuscia.CreateDomainDataGrant(ctx, request(desired))
			return err
		},
		Query: func(ctx context.Context, id crud.ID) (*grant, error) {
			found, err := c.Kuscia.QueryDomainDataGrant(ctx, keyOf(id))
			if err != nil {
				return nil, err
			}
			return &grant{DomainDataGrant: *found}, nil
		},
		Update: func(ctx context.Context, desired, _ *grant) error {
			return c.Kuscia.UpdateDomainDataGrant(ctx, request(desired))
		},
		Delete: func(ctx context.Context, id crud.ID) error { return c.Kuscia.DeleteDomainDataGrant(ctx, keyOf(id)) },
	}
}

func keyOf(id crud.ID) kuscia.DomainDataGrantKey {
	return kuscia.DomainDataGrantKey{DomainID: id[0], DomainDataGrantID: id[1]}
}

// processedIn is the time limit for Kuscia to process a new grant, which takes
// 0.15 s on Kuscia v1.1.
const processedIn = 2 * time.Second

// processed waits until Kuscia has processed a new grant. The grant then has a
// phase and the grantee a copy, which resources of the same apply may query. It
// does not wait if the grantee does not exist: Kuscia processes the grant when
// the domain is created.
func processed(ctx context.Context, c *run.Run, id crud.ID, created *grant) {
	ctx, cancel := context.WithTimeout(ctx, processedIn)
	defer cancel()
	if _, err := c.Domains.Get(ctx, created.Data.GrantDomain); err != nil {
		return
	}
	wait := crud.Wait[grant]{Done: func(g *grant) (bool, string) {
		return g.Status != nil && g.Status.Phase != kuscia.GrantPending, ""
	}}
	_, _ = wait.WaitDone(ctx, func(ctx context.Context) (*grant, error) { return calls(c).Query(ctx, id) }) // the phase is not part of the resource
}

// isCopy returns an error text if a grant is the grantee's copy.
func isCopy(id crud.ID, found *grant) string {
	if found.Data.Author == "" || found.Data.Author == id[0] {
		return ""
	}
	return fmt.Sprintf("It is the copy of a grant by %s: Kuscia creates and deletes it with the grant.", httpapi.Text(found.Data.Author))
}

// listing lists the grants of a domain.
var listing = crud.Listing[grant]{
	Title: "grants",
	Type:  "domain_data_grants", Attribute: "grants",
	Description: "All grants of a domain, or those to one grantee, with their phases. The list of a domain that does not exist is empty. " +
		"The list includes copies of grants of other domains to this one; to exclude them: `[for g in data.kuscia_domain_data_grants.NAME.grants : g if g.author == g.domain_id]`.",
	AttributeDescription: "The grants, sorted by ID.",
	QueryDescription: "Finds the grants of a domain with `terraform query` (Terraform 1.14 or later), to import them in bulk. " +
		"Copies of grants that others gave to the domain are not listed: they cannot be managed.",
	Filters: []crud.Filter{
		{Name: attrDomainID, Required: true, Description: "Domain of the grantor.", Problem: kuscia.CheckObjectID},
		{Name: attrGrantDomain, Description: "Only grants to this domain.", Problem: kuscia.CheckObjectID},
	},
	Find: func(ctx context.Context, c *run.Run, values map[string]string, _ int64) ([]grant, error) {
		found, err := c.Kuscia.ListDomainDataGrants(ctx, kuscia.DomainDataGrantFilter{DomainID: values[attrDomainID], GrantDomain: values[attrGrantDomain]})
		grants := make([]grant, len(found))
		for i := range found {
			grants[i] = grant{DomainDataGrant: found[i]}
		}
		return grants, err
	},
	ID: func(values map[string]string, found *grant) crud.ID {
		return crud.ID{values[attrDomainID], found.Data.DomainDataGrantID}
	},
}
