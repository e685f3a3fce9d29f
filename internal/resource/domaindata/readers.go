package domaindata

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// onlyNames are the attributes that say nothing of where or what the data is.
var onlyNames = []path.Path{path.Root(attrName), path.Root(attrVendor)}

// warnReaders warns in the plan of an update that changes where or what data is.
func warnReaders(ctx context.Context, c *run.Run, change crud.Change[kuscia.DomainData]) (diags diag.Diagnostics) {
	if change.InApply || change.Before == nil || change.ID == nil {
		return nil
	}
	i := slices.IndexFunc(change.Sent, func(at path.Path) bool {
		return !slices.ContainsFunc(onlyNames, at.Equal)
	})
	if i >= 0 {
		c.WarnReaders(ctx, &diags, "Granted data changes", change.Sent[i], change.ID[0], func(id string) bool { return id == change.ID[1] })
	}
	return diags
}
