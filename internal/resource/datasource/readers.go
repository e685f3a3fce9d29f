package datasource

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// guard warns in a plan, and checks a key in an apply.
func guard(ctx context.Context, c *run.Run, change crud.Change[kuscia.DomainDataSource]) diag.Diagnostics {
	if change.InApply {
		return keyExists(ctx, c, change)
	}
	return warnReaders(ctx, c, change)
}

// warnReaders warns in the plan of an update that changes where the data in a data source is, or as
// whom it is read.
func warnReaders(ctx context.Context, c *run.Run, change crud.Change[kuscia.DomainDataSource]) (diags diag.Diagnostics) {
	if change.Before == nil || change.ID == nil {
		return nil
	}
	i := slices.IndexFunc(change.Sent, func(at path.Path) bool { return !at.Equal(path.Root(attrName)) })
	var unused diag.Diagnostics
	if i < 0 || !c.ReachedKuscia(ctx, &unused) {
		return nil
	}
	within := map[string]bool{}
	data, _ := c.Kuscia.ListDomainData(ctx, kuscia.DomainDataFilter{DomainID: change.ID[0]})
	for _, d := range data {
		within[d.DomainDataID] = within[d.DomainDataID] || d.DataSourceID == change.ID[1]
	}
	c.WarnReaders(ctx, &diags, "Source of granted data changes", change.Sent[i], change.ID[0], func(id string) bool { return within[id] })
	return diags
}
