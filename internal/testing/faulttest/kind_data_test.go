package faulttest_test

import (
	"context"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// dataKind is domain data of alice, with a variable name.
var dataKind = objectKind{
	typeName: "kuscia_domain_data", path: "domaindata", plural: "data", queriesFirst: true,
	refersTo: []string{"kuscia_domain_data_source"},
	config: func(o objectSpec, _ string) attrs {
		return attrs{"domain_id": "alice", "domaindata_id": o.name, "type": "table", "relative_uri": o.name + ".csv", "name": objectText(o)}
	},
	stored:  func(server *sandbox.Sandbox, o objectSpec) string { return server.DomainDataNames("alice")[o.name] },
	desired: objectText,

	generate: func(g generator, config generatedConfig, add func(generatedResource)) {
		g.some(5, add, func(i int) generatedResource {
			return g.data(fmt.Sprint("data-", i), config.names(dataSourceKind.typeName))
		})
	},
	identity: []string{"domain_id", "domaindata_id"},
	same: map[string][][]any{
		"vendor": {{nil, "manual"}}, "file_format": {{nil, "UNKNOWN"}}, "columns.comment": {{nil, ""}}, "columns.not_nullable": {{nil, false}},
		"partition.fields.comment": {{nil, ""}}, "datasource_id": {{nil, "default-data-source"}},
	},
	moveRequest: requestWith("domain_id", "domaindata_id", "relative_uri"),
	all:         func(server *sandbox.Sandbox) string { return fmt.Sprint(server.DomainDataNames("alice")) },

	edit: updateData(kuscia.DomainDataRequest{
		Columns: []kuscia.DataColumn{{Name: "drift", Type: "str"}}, Attributes: map[string]string{"drift": "drift"}, FileFormat: "CSV",
	}),
	remove: func(ctx context.Context, api *kuscia.Client, value stateValue) error {
		return api.DeleteDomainData(ctx, kuscia.DomainDataKey{DomainID: "alice", DomainDataID: value("domaindata_id")})
	},
	drift: func(config attrs) externalWrite {
		if config["name"] == nil {
			return nil // without a configured name, no name is drift
		}
		return updateData(kuscia.DomainDataRequest{Name: "drift"})
	},
}

func init() { registerKind(dataKind) }

func updateData(request kuscia.DomainDataRequest) externalWrite {
	return func(ctx context.Context, api *kuscia.Client, value stateValue) error {
		update := request
		update.DomainID, update.DomainDataID = "alice", value("domaindata_id")
		return api.UpdateDomainData(ctx, &update)
	}
}

// objectText is the variable part of an object.
func objectText(o objectSpec) string { return fmt.Sprint("text ", o.n) }

func (g generator) columns(nullable bool) any {
	var columns []any
	for range g.IntN(3) {
		column := attrs{"name": g.text(), "type": pick(g, "str", "float", "int"), "comment": pick[any](g, nil, "", g.text())}
		if nullable {
			column["not_nullable"] = pick[any](g, nil, true, false)
		}
		columns = append(columns, column)
	}
	if columns == nil {
		return pick[any](g, nil, []any{})
	}
	return columns
}

func (g generator) data(name string, sources []string) generatedResource {
	config := attrs{
		"domain_id": "alice", "domaindata_id": g.id("data-" + name), "type": pick(g, "table", "model", "x"), "relative_uri": pick(g, "a.csv", "dir/b", "dir/"),
		"name": pick[any](g, nil, "n", g.text()), "attributes": g.textMap(), "columns": g.columns(true),
		"vendor": pick[any](g, nil, "manual", "team"), "file_format": pick[any](g, nil, "UNKNOWN", "CSV", "BINARY"),
	}
	if g.chance(30) {
		config["partition"] = attrs{"type": pick(g, "path", "odps"), "fields": g.columns(false)}
	}
	if len(sources) > 0 && g.chance(60) {
		config["datasource_id"] = reference{"kuscia_domain_data_source." + pick(g, sources...), "datasource_id"}
	} else {
		config["datasource_id"] = pick[any](g, nil, "default-data-source")
	}
	return generatedResource{"kuscia_domain_data", name, config}
}
