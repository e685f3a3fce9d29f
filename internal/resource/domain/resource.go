package domain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// tokenTimeout is the default time limit for the deploy token of a new domain.
// It usually takes about 0.1 s, and at most 10 s on Kuscia v1.1.
const tokenTimeout = 2 * time.Minute

// domain defines kuscia_domain.
var domain = crud.New(crud.Spec[object]{
	Type: "domain", Title: "domain",
	Schema: domainSchema(),
	Identity: []crud.IdentityAttribute{{
		Name: attrDomainID, Description: "ID of the domain.", Problem: checkID, LookupProblem: checkLookup,
	}},
	Moved: movestate.Kind{
		Request:  movestate.Request{IdentifyingAttribute: "domain_id", ID: []string{"domain_id"}},
		Manifest: movestate.Manifest{Group: kuscia.Group, Kind: "Domain"},
	},
	ToWire: toWire, FromWire: fromWire, Check: checkDomain,
	References: references,
	API:        calls, CustomResource: customResource,
	Wait: &crud.Wait[object]{
		Attribute: "wait_for_deploy_token", Default: true, Timeouts: definition.Timeouts{Create: tokenTimeout}, Done: hasToken,
		Description: "Whether a create waits until Kuscia has created the deploy token. Default `true`. Not used for a partner.",
	},
	UsedBy: &crud.UsedBy{
		Find:    users,
		Without: "Kuscia deletes a domain that is in use: routes and servings of it no longer work, and its data and grants are kept without it until a domain with this ID is created again.",
	},
	AfterWrite: afterWrite, Planned: recordRole, Guard: warnOfLoss,
})

// calls are the API calls for domains.
func calls(c *clients.Clients) crud.API[object] {
	return crud.API[object]{
		Create: func(ctx context.Context, desired *object) error {
			return c.Kuscia.CreateDomain(ctx, createRequest(desired))
		},
		Query: func(ctx context.Context, id crud.ID) (*object, error) {
			found, err := c.Kuscia.QueryDomain(ctx, id[0])
			if err != nil {
				return nil, err
			}
			return &object{Domain: *found}, nil
		},
		Update: func(ctx context.Context, desired, _ *object) error {
			body := request(desired)
			if body.Cert == "" && !updateKeeps(ctx, c) {
				found, err := c.Kuscia.QueryDomain(ctx, desired.DomainID)
				if err != nil {
					return fmt.Errorf("the certificate of the domain, which an update has to contain, could not be read: %w", err)
				}
				body.Cert = encodedCert(found.Cert)
			}
			return c.Kuscia.UpdateDomain(ctx, body)
		},
		Delete: func(ctx context.Context, id crud.ID) error { return c.Kuscia.DeleteDomain(ctx, id[0]) },
	}
}

// updateKeeps reports whether an update certainly keeps what a request does not contain.
func updateKeeps(ctx context.Context, c *clients.Clients) bool {
	version := c.KusciaVersion(ctx)
	return version.Known() && version.Has(versions.DomainUpdateKeeps)
}

// warnOfLoss says in the plan of an update what it removes in an old Kuscia, which replaces the
// whole object. Its certificate is sent again.
func warnOfLoss(ctx context.Context, c *clients.Clients, change crud.Change[object]) (diags diag.Diagnostics) {
	if change.InApply || change.Before == nil || change.Desired == nil || !c.ReachedKuscia(ctx, &diags) {
		return diags
	}
	version := c.KusciaVersion(ctx)
	if version.Has(versions.DomainUpdateKeeps) {
		return diags
	}
	diags.AddAttributeWarning(path.Root(attrDomainID), "Update of domain removes what others have set", fmt.Sprintf(
		"Kuscia %s replaces the whole domain in an update, and this one is %s: labels, annotations and interConnProtocols that other clients have set to domain %q are gone then. "+
			"The certificate stays. Use a newer Kuscia, or set them again after the apply.", versions.DomainUpdateKeeps.Before(), version, httpapi.Text(change.Before.DomainID)))
	return diags
}

// hasToken reports whether a node can join the domain.
func hasToken(d *object) (done bool, state string) {
	return d.Role == kuscia.DomainRolePartner || len(d.DeployTokenStatuses) > 0, "the domain exists and has no deploy token yet"
}

// references are the master domain, if it is another one. Kuscia looks it up with every update.
func references(d *object) []crud.Reference {
	if d.DomainID == "" || d.MasterDomainID == d.DomainID { // it is empty while it is unknown
		return nil
	}
	master := crud.DomainReference(d.MasterDomainID, path.Root(attrMaster), "It refuses a domain whose master domain it does not have (error code 11100).")
	master.EachUpdate = true
	return []crud.Reference{master}
}

// users are what uses a domain, as far as the KusciaAPI and the cluster show it.
func users(ctx context.Context, c *clients.Clients, id crud.ID) []clients.User {
	return slices.Concat(
		c.ServingsOf(ctx, func(p kube.KusciaDeploymentParty) bool { return p.DomainID == id[0] }),
		c.RoutesOf(ctx, id[0]), c.DataOf(ctx, id[0]))
}

// recordRole notes the planned role for the servings of the same plan: the app images of a
// partner are not those of this node.
func recordRole(c *clients.Clients, id crud.ID, planned *object, unknown []path.Path) {
	role := planned.Role
	if slices.ContainsFunc(unknown, path.Root(attrRole).Equal) {
		role = clients.UnknownRole
	}
	if c.Domains != nil {
		c.Domains.RecordRole(id[0], role)
	}
}

// afterWrite invalidates the cached domain, which servings of this run may have
// read.
func afterWrite(c *clients.Clients, id crud.ID, _ *object) { c.Domains.Forget(id[0]) }
