package faulttest_test

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// dataSourceKind is data sources of alice, with a variable name and key. Only
// the node of alice returns and changes them.
var dataSourceKind = objectKind{
	typeName: "kuscia_domain_data_source", path: "domaindatasource", plural: "sources", node: "alice",
	refersTo: []string{"kuscia_config"},
	config: func(o objectSpec, _ string) attrs {
		return attrs{
			"domain_id": "alice", "datasource_id": o.name, "type": "oss", "name": objectText(o),
			"oss": attrs{"endpoint": "oss.example", "bucket": "b", "access_key_id": "id", "access_key_secret": fmt.Sprint(plantedKey, o.n)},
		}
	},
	stored:  func(server *sandbox.Sandbox, o objectSpec) string { return server.DataSourceNames("alice")[o.name] },
	desired: objectText,

	generate: func(g generator, config generatedConfig, add func(generatedResource)) {
		g.some(4, add, func(i int) generatedResource { return g.source(fmt.Sprint("source-", i), config.sourceInfos()) })
	},
	identity: []string{"domain_id", "datasource_id"},
	same: map[string][][]any{
		"name": {{nil, ""}}, "access_directly": {{nil, false}}, "localfs.path": {{"/data", "/data/", "/data//"}}, "oss.bucket": {{"b", "/b/", "b/"}},
		"oss.prefix": {{nil, "", "/"}, {"p", "/p/"}}, "oss.virtualhost": {{nil, false}}, "oss.version": {{nil, ""}}, "oss.storage_type": {{nil, ""}}, "database.user": {{nil, ""}},
	},
	moveRequest: requestWith("domain_id", "datasource_id"),
	all:         func(server *sandbox.Sandbox) string { return fmt.Sprint(server.DataSourceNames("alice")) },

	edit: renameSource,
	remove: func(ctx context.Context, api *kuscia.Client, value stateValue) error {
		return api.DeleteDomainDataSource(ctx, kuscia.DomainDataSourceKey{DomainID: "alice", DataSourceID: value("datasource_id")})
	},
	drift: func(attrs) externalWrite { return renameSource },
}

func init() { registerKind(dataSourceKind) }

func renameSource(ctx context.Context, api *kuscia.Client, value stateValue) error {
	name := "drift"
	return api.UpdateDomainDataSource(ctx, &kuscia.DomainDataSourceRequest{DomainID: "alice", DataSourceID: value("datasource_id"), Name: &name})
}

// blocksOf maps the type of a data source to the name of its block.
var blocksOf = map[string]string{"localfs": "localfs", "oss": "oss", "odps": "odps", "mysql": "database", "postgresql": "database", "hive": "database", "dameng": "database"}

func (g generator) source(name string, keys []string) generatedResource {
	kind := pick(g, slices.Sorted(maps.Keys(blocksOf))...)
	config := attrs{"domain_id": "alice", "datasource_id": g.id("source-" + name), "type": kind, "name": pick[any](g, nil, "", g.text()), "access_directly": pick[any](g, nil, true, false)}
	block := attrs{}
	switch blocksOf[kind] {
	case "localfs":
		block["path"] = pick(g, "/data", "/data/", "data/x")
	case "oss":
		maps.Copy(block, attrs{
			"endpoint": "oss.example", "bucket": pick(g, "b", "/b/", "c"), "prefix": pick[any](g, nil, "", "p", "/p/"),
			"virtualhost": pick[any](g, nil, true, false), "version": pick[any](g, nil, "", "s3v4"), "storage_type": pick[any](g, nil, "", "oss", "minio"),
		})
	case "odps":
		maps.Copy(block, attrs{"endpoint": "http://odps.example", "project": pick(g, "p", "q")})
	case "database":
		maps.Copy(block, attrs{"endpoint": pick(g, "db:1", "db:2"), "user": pick[any](g, nil, "", "u"), "database": pick(g, "d", "e")})
		if g.chance(70) {
			g.setSecret(block, "password", pick(g, "pw-1", "pw-2"))
		}
	}
	if kind == "oss" || kind == "odps" {
		g.setSecret(block, "access_key_id", pick(g, "id-1", "id-2"))
		g.setSecret(block, "access_key_secret", pick(g, "secret-1", "secret-2"))
	}
	if len(keys) > 0 && (kind == "mysql" || kind == "hive") && g.chance(60) {
		config["info_key"] = reference{"kuscia_config." + pick(g, keys...), "key"}
	} else {
		config[blocksOf[kind]] = block
	}
	return generatedResource{"kuscia_domain_data_source", name, config}
}
