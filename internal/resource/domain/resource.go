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
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
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
	Identity: crud.Identity{
		Attributes: []crud.IdentityAttribute{{
			Name: attrDomainID, Description: "ID of the domain.", Problem: checkID, LookupProblem: checkLookup,
		}},
		Moved: movestate.Kind{
			Request:  movestate.Request{IdentifyingAttribute: "domain_id", ID: []string{"domain_id"}},
			Manifest: movestate.Manifest{Group: kuscia.Group, Kind: "Domain"},
		},
	},
	ToWire: toWire, FromWire: fromWire,
	API: calls, CustomResource: customResource,
	Checks:  crud.Checks[object]{Object: checkDomain, References: references, Guard: masterHasRole},
	Writes:  crud.Writes[object]{Done: afterWrite},
	Planned: recordRole,
	Wait: &crud.Wait[object]{
		Attribute: "wait_for_deploy_token", Default: true, Timeouts: definition.Timeouts{Create: tokenTimeout}, Done: hasToken,
		Description: "Whether a create waits until Kuscia has created the deploy token. Default `true`. Not used for a partner.",
	},
	Deletion: crud.Deletion{UsedBy: &crud.UsedBy{
		Find:    users,
		Without: "Kuscia deletes a domain that is in use: routes and servings of it no longer work, and its data and grants are kept without it until a domain with this ID is created again.",
	}},
})

// calls are the API calls for domains.
func calls(c *run.Run) crud.API[object] {
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
			if body.Cert == "" && !keepsCert(c.KusciaVersion(ctx)) {
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

// keepsCert reports whether an update certainly keeps a certificate that it does not contain.
func keepsCert(version versions.Version) bool {
	return version.Known() && version.Has(versions.DomainUpdateKeeps)
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

// masterHasRole refuses another role than that of the master domain, which Kuscia refuses and an
// update through the cluster would store.
func masterHasRole(ctx context.Context, c *run.Run, change crud.Change[object]) (diags diag.Diagnostics) {
	d := change.Desired
	if !change.InApply || change.Before == nil || d == nil || d.MasterDomainID == "" || d.MasterDomainID == d.DomainID || !c.HasKubernetes() {
		return nil
	}
	master, err := c.Kuscia.QueryDomain(ctx, d.MasterDomainID)
	if err != nil {
		message.AddError(&diags, "Unable to read master domain", err)
	} else if master.Role != d.Role {
		diags.AddAttributeError(path.Root(attrRole), "Other role than that of the master domain", fmt.Sprintf(
			"role is %q, and that of the master domain %q is %q: Kuscia refuses such a domain. Nothing was sent. Set the same role.", httpapi.Text(d.Role), httpapi.Text(d.MasterDomainID), httpapi.Text(master.Role)))
	}
	return diags
}

// users are what uses a domain, as far as the KusciaAPI and the cluster show it.
func users(ctx context.Context, c *run.Run, id crud.ID) []run.User {
	return slices.Concat(
		c.ServingsOf(ctx, func(p kube.KusciaDeploymentParty) bool { return p.DomainID == id[0] }),
		c.RoutesOf(ctx, id[0]), c.DataOf(ctx, id[0]))
}

// recordRole notes the planned role for the servings of the same plan: the app images of a
// partner are not those of this node.
func recordRole(c *run.Run, id crud.ID, planned *object, unknown []path.Path) {
	role := planned.Role
	if slices.ContainsFunc(unknown, path.Root(attrRole).Equal) {
		role = run.UnknownRole
	}
	if c.Domains != nil {
		c.Domains.RecordRole(id[0], role)
	}
}

// afterWrite invalidates the cached domain, which servings of this run may have
// read.
func afterWrite(c *run.Run, id crud.ID, _ *object) { c.Domains.Forget(id[0]) }
