package domainroute

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// plannedNames are the pairs of domains of the routes in this run, keyed by
// route name. If two pairs have the same name, the first planned pair is
// stored.
func plannedNames(c *run.Run) *sync.Map {
	const names run.Key[*sync.Map] = "names of planned routes"
	return run.Value(c, names, func() *sync.Map { return new(sync.Map) })
}

// noteName records that a route of this run will exist.
func noteName(c *run.Run, id crud.ID, _ *kuscia.DomainRoute, _ []path.Path) {
	plannedNames(c).LoadOrStore(routeName(keyOf(id)), keyOf(id))
}

// nameIsFree rejects the plan of a route if another pair of domains uses its
// name in the same run. Only one of them can exist, and with adopt_existing
// both would appear to.
func nameIsFree(_ context.Context, c *run.Run, change crud.Change[kuscia.DomainRoute]) (diags diag.Diagnostics) {
	if change.Desired == nil || change.InApply || change.ID == nil {
		return nil
	}
	key := keyOf(change.ID)
	name := routeName(key)
	first, _ := plannedNames(c).Load(name)
	if other, taken := first.(kuscia.DomainRouteKey); taken && other != key {
		diags.AddAttributeError(atDestination, "Two routes with one name",
			fmt.Sprintf("Kuscia names a route by its source, a dash and its destination, and %q is also the name of the route from %q to %q in the same plan. Only one of them can exist: "+
				"remove one of them, or use another ID for one of the domains.", httpapi.Text(name), httpapi.Text(other.Source), httpapi.Text(other.Destination)))
	}
	return diags
}
