package datasource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// keyExists rejects an update to a key whose configuration entry is missing or
// does not fit the type. Kuscia checks the key only at create: after such an
// update it could show neither the data source nor any other of the domain.
// Whether the key exists is only known at apply, which may create it first. The
// entry of an update that changes neither key nor type is not checked, only that it
// exists (references). Kuscia before v0.12 does not return its configuration.
func keyExists(ctx context.Context, c *run.Run, change crud.Change[kuscia.DomainDataSource]) (diags diag.Diagnostics) {
	desired, before := change.Desired, change.Before
	if before == nil || desired == nil || desired.InfoKey == "" || desired.InfoKey == before.InfoKey && desired.Type == before.Type {
		return nil
	}
	value, err := c.Kuscia.QueryConfig(ctx, desired.InfoKey)
	switch {
	case errors.Is(err, kuscia.ErrUnsupported):
		return nil
	case err != nil:
		message.AddAttributeError(&diags, path.Root(attrInfoKey), "Unable to read configuration of the node", err)
		return diags
	}
	if fits(desired.Type, value) {
		return nil
	}
	what := "is not valid JSON for the block " + blocks[desired.Type] + " of this type"
	if value == "" {
		what = "has no value"
	}
	diags.AddAttributeError(path.Root(attrInfoKey), "Invalid configuration entry",
		fmt.Sprintf("The entry %q of the node's configuration %s. Nothing was sent: Kuscia would accept the key, and could then return neither this data source nor the others of its domain. "+
			"Write the entry first, for example with kuscia_config, and refer to it: info_key = kuscia_config.NAME.key.", httpapi.Text(desired.InfoKey), what))
	return diags
}

// fits reports whether a configuration value is JSON of the block of a type.
func fits(kind, value string) bool {
	var info kuscia.DataSourceInfo
	targets := map[string]any{attrLocalFS: &info.LocalFS, attrOSS: &info.OSS, attrDatabase: &info.Database, attrODPS: &info.ODPS}
	target, known := targets[blocks[kind]]
	return !known || json.Unmarshal([]byte(value), target) == nil
}
