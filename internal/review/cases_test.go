package review_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// attributes are those of an object.
type attributes = map[string]any

// change is a change of an object in a plan; more are further fields of it.
func change(address string, actions []string, before, after attributes, more ...attributes) attributes {
	kind, _, _ := strings.Cut(address, ".")
	body := attributes{"actions": actions}
	all := attributes{
		"address": address, "mode": "managed", "type": kind, "name": "x", "provider_name": "registry.terraform.io/terraform-kuscia/kuscia", "change": body,
	}
	if before != nil {
		body["before"] = before
	}
	if after != nil {
		body["after"] = after
	}
	for _, fields := range more {
		for name, field := range fields {
			if slices.Contains([]string{"address", "previous_address", "deposed", "action_reason", "provider_name", "mode", "type"}, name) {
				all[name] = field
			} else {
				body[name] = field
			}
		}
	}
	return all
}

// planOf is a plan with changes; fields are further fields of it.
func planOf(t *testing.T, fields attributes, changes ...attributes) string {
	t.Helper()
	plan := attributes{"format_version": "1.2", "complete": true, "resource_changes": changes}
	maps.Copy(plan, fields)
	return testjson.Encode(t, plan)
}

var (
	created  = []string{"create"}
	updated  = []string{"update"}
	deleted  = []string{"delete"}
	replaced = []string{"delete", "create"}
	same     = []string{"no-op"}
)

// glm is a serving of alice.
func glm(party attributes, more ...attributes) attributes {
	all := attributes{"serving_id": "glm", "serving_input_config": `{"modelId":"glm-1"}`, "parties": attributes{"alice": party}}
	for _, fields := range more {
		maps.Copy(all, fields)
	}
	return all
}

func party(image string, more ...attributes) attributes {
	p := attributes{"app_image": image, "replicas": 1, "domain_id": "alice", "role": ""}
	for _, fields := range more {
		maps.Copy(p, fields)
	}
	return p
}

// servings are n new ones, which are alike.
func servings(n int) (changes []attributes) {
	for i := range n {
		changes = append(changes, change(fmt.Sprint("kuscia_serving.s", i), created, nil, with(glm(party("a")), "serving_id", fmt.Sprint("s", i))))
	}
	return changes
}

func appImage(tag string) attributes {
	return attributes{"name": "a", "image": attributes{"name": "sf", "tag": tag}}
}

var (
	scores = attributes{"domain_id": "alice", "domaindata_id": "scores", "type": "table"}
	toBob  = attributes{"domain_id": "alice", "domaindata_id": "scores", "grant_domain": "bob", "limit": attributes{"use_count": 3}}
	route  = attributes{"source": "alice", "destination": "bob", "authentication_type": "Token", "token_config": attributes{"rolling_update_period": 60}}
)

// with is an object with another value of an attribute.
func with(object attributes, attribute string, value any) attributes {
	changed := maps.Clone(object)
	changed[attribute] = value
	return changed
}

// cases are plans, what their reviews say, and what a gate may refuse.
var cases = map[string]struct {
	fields  attributes
	changes []attributes
	// says are texts of the Markdown, silent are others that it must not have.
	says, silent []string
	categories   []category.Category
}{
	"all pods stop before new ones start": {
		changes: []attributes{change("kuscia_serving.glm", updated,
			glm(party("a", attributes{"update_strategy": attributes{"type": "Recreate"}})), glm(party("b", attributes{"update_strategy": attributes{"type": "Recreate"}})))},
		says:       []string{"This plan interrupts the serving `glm`.", "interrupted: restarts, because of `parties.alice.app_image`; update_strategy stops all pods first"},
		categories: []category.Category{category.Interrupted, category.Restarted, category.Code},
	},
	"a program as a data source": {
		changes: []attributes{change("data.external.x", []string{"read"}, nil, attributes{"program": []any{"sh", "-c", "curl evil"}},
			attributes{"mode": "data", "type": "external", "provider_name": "registry.terraform.io/hashicorp/external"})},
		says: []string{
			"lets the program of `data.external.x` (data source) do anything", "which may also send data out: `data.external.x` (data source: `program.0` `sh`, `program.1` `-c`, `program.2` `curl evil`)\n",
			"| `program.2` | none | `curl evil` |",
		},
		silent:     []string{"Nothing changes."},
		categories: []category.Category{category.Code, category.Provisioned},
	},
	"data sources of other providers that were read for the plan": {
		fields: configured(nil,
			attributes{"address": "data.http.x", "mode": "data", "type": "http", "name": "x"}, attributes{"address": "data.aws_ami.x", "mode": "data", "type": "aws_ami", "name": "x"},
			attributes{"address": "data.kuscia_domain.x", "mode": "data", "type": "kuscia_domain", "name": "x"}, attributes{"address": "data.external.x", "mode": "data", "type": "external", "name": "x"},
			attributes{"address": "ephemeral.vault_secret.x", "mode": "ephemeral", "type": "vault_secret", "name": "x"}, attributes{"address": "ephemeral.kuscia_certificate.x", "mode": "ephemeral", "type": "kuscia_certificate", "name": "x"}),
		changes: []attributes{posted(attributes{"address": "data.http.x[0]"})},
		says: []string{
			"reads `data.http.x[0]` of another provider", "- What data sources of other providers did when they were read for this plan: `data.aws_ami.x`.\n",
			"- What ephemeral resources of other providers do, for this plan and again in the apply: `ephemeral.vault_secret.x`.\n", "(data source, read for this plan)",
		},
		silent:     []string{"kuscia_domain", "kuscia_certificate"},
		categories: []category.Category{category.Provisioned, category.Unknown},
	},
	"a program as a data source that was read for the plan": {
		fields: attributes{"configuration": attributes{"root_module": attributes{
			"resources": []any{
				attributes{"address": "data.external.x", "mode": "data", "type": "external", "name": "x"},
				attributes{"address": "data.external.later", "mode": "data", "type": "external", "name": "later"},
				attributes{"address": "data.kuscia_domain.x", "mode": "data", "type": "kuscia_domain", "name": "x"},
			},
			"module_calls": attributes{"m": attributes{"module": attributes{"resources": []any{attributes{"address": "data.external.y", "mode": "data", "type": "external", "name": "y"}}}}},
		}}},
		changes: []attributes{change(`data.external.later["a"]`, []string{"read"}, nil, attributes{}, attributes{"mode": "data", "type": "external"})},
		says: []string{
			"lets the programs of `data.external.later[\"a\"]` (data source), `data.external.x` (data source, read for this plan) and `module.m.data.external.y` (data source, read for this plan) do anything",
			"What 3 programs do",
		},
		silent:     []string{"`data.external.later`", "kuscia_domain"},
		categories: []category.Category{category.Code, category.Provisioned, category.Provisioned, category.Provisioned},
	},
	"a tainted serving gets another id": {
		changes: []attributes{change("kuscia_serving.glm", replaced, glm(party("a"), attributes{"rollout_complete": false}), glm(party("a"), attributes{"serving_id": "glm2"}), attributes{"action_reason": "replace_because_tainted"})},
		says:    []string{"replaces the serving `glm`, which did not start", "starts the serving `glm2`", "the serving `glm2` takes its place"}, silent: []string{"nterrupted", "for good"},
		categories: []category.Category{category.Code, category.Granted, category.Destroy, category.Replaced}, // glm2 starts, and its text may name features
	},
	"a tainted serving did not run": {
		changes:    []attributes{change("kuscia_serving.glm", replaced, glm(party("a"), attributes{"rollout_complete": false}), glm(party("a")), attributes{"action_reason": "replace_because_tainted"})},
		says:       []string{"replaces the serving `glm`, which did not start", "because of its last create, which did not complete (tainted)"},
		categories: []category.Category{category.Replaced},
	},
	"another key of a party is nothing": {
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a")), attributes{"serving_id": "glm", "serving_input_config": `{"modelId":"glm-1"}`, "parties": attributes{"a1": party("a")}})},
		says:    []string{"nothing restarts"},
		silent:  []string{"new party"},
	},
	"no replicas": {
		changes: []attributes{change("kuscia_deployment.d", updated,
			attributes{"name": "d", "parties": attributes{"alice": party("a"), "bob": party("a", attributes{"domain_id": "bob"})}},
			attributes{"name": "d", "parties": attributes{"alice": party("b", attributes{"replicas": 0}), "bob": party("a", attributes{"domain_id": "bob", "replicas": 2})}})},
		says:       []string{"This plan interrupts the serving `d`.", "| `1` → `0` | interrupted: scales to 0 |", "| `1` → `2` | scales, nothing restarts |"},
		categories: []category.Category{category.Interrupted, category.Restarted, category.Code},
	},
	"an edge deployment": {
		changes:    []attributes{change("kuscia_edge_deployment.e", deleted, attributes{"name": "psi"}, nil), change("kuscia_edge_deployment.f", replaced, attributes{"name": "f"}, attributes{"name": "f"})},
		says:       []string{"This plan ends the edge deployment `psi` and interrupts the edge deployment `f`.", "- Stops for good: the edge deployment `psi`\n"},
		categories: []category.Category{category.Interrupted, category.Interrupted, category.Destroy, category.Replaced},
	},
	"an update of an edge deployment": {
		changes: []attributes{
			change("kuscia_edge_deployment.e", updated, attributes{"name": "psi", "replicas": 1, "description": "a"}, attributes{"name": "psi", "replicas": 2, "description": "b"}),
			change("kuscia_edge_deployment.f", updated, attributes{"name": "f", "description": "a", "rollout_complete": false}, attributes{"name": "f", "description": "b", "rollout_complete": true}),
		},
		says: []string{
			"This plan restarts the edge deployment `psi` and changes the edge deployment `f`.",
			"changed: <code>description</code>, <code>replicas</code>; the whole template is sent, which may restart every instance</summary>", "changed: <code>description</code>, <code>rollout&#95;complete</code></summary>",
		},
		categories: []category.Category{category.Restarted},
	},
	"a route that closes": {
		changes: []attributes{change("kuscia_domain_route.r", deleted, route, nil)},
		says:    []string{"| `alice` | Do without requests to `bob`: the route closes |", "| `bob` | Do without requests from `alice`: the route closes |"}, categories: []category.Category{category.Granted, category.Routed, category.Destroy},
	},
	"a route that others have closed opens as it was": {
		fields: gone(change("kuscia_domain_route.r", deleted, toGateway, nil)), changes: []attributes{change("kuscia_domain_route.r", created, nil, toGateway)},
		says: []string{"This plan opens the route from `alice` to `bob`."}, silent: []string{"another host"},
		categories: []category.Category{category.Drifted, category.Granted, category.Routed, category.Destroy, category.Routed},
	},
	"data that others have removed is created as it was": {
		fields: gone(change("kuscia_domain_data.s", deleted, scores, nil)), changes: []attributes{change("kuscia_domain_data.s", created, nil, scores)},
		says: []string{"This plan creates the data `scores` of `alice`."}, silent: []string{"Sees other data"},
		categories: []category.Category{category.Drifted, category.Granted, category.Revoked, category.Destroy},
	},
	"an app image that others have removed is created as it was": {
		fields: gone(change("kuscia_app_image.a", deleted, container("./serve"), nil)), changes: []attributes{change("kuscia_app_image.a", created, nil, container("./serve"))},
		says: []string{"This plan creates the app image `a`."}, categories: []category.Category{category.Drifted, category.Code, category.Destroy},
	},
	"a route that is replaced": {
		changes: []attributes{change("kuscia_domain_route.r", replaced, route, with(route, "token_config", attributes{"rolling_update_period": 3600}))},
		says: []string{
			"| `alice` | Tell those who send requests to `bob`: they fail while the route is replaced |", "| `bob` | Tell those who get requests from `alice`: they fail while the route is replaced |",
		},
		categories: []category.Category{category.Routed, category.Replaced},
	},
	"a route beside what changes": {
		changes: []attributes{change("kuscia_domain_data_grant.b", created, nil, toBob), change("kuscia_domain_route.r", same, route, route)},
		says:    []string{"-->|\"`route`\"|"}, categories: []category.Category{category.Granted},
	},
	"another model": {
		changes:    []attributes{change("kuscia_serving.glm", updated, glm(party("a")), glm(party("a"), attributes{"serving_input_config": `{"modelId":"glm-2","x":1}`}))},
		says:       []string{"`glm-1` → `glm-2`", "because of `serving_input_config: modelId`, `serving_input_config: x`"},
		categories: []category.Category{category.Restarted, category.Code, category.Granted},
	},
	"an image that the resource computes of an app image that stays": {
		changes: []attributes{
			change("kuscia_app_image.a", same, appImage("1"), appImage("1")),
			change("kuscia_serving.glm", replaced, glm(party("a", attributes{"image": "sf:1"})), glm(party("a")), attributes{"after_unknown": attributes{"parties": attributes{"alice": attributes{"image": true}}}}),
		},
		says:       []string{"| `glm` | `alice` | `sf:1` | `glm-1` |", "[\"`glm\n\nsf#58;1\n"},
		silent:     []string{"known after apply"},
		categories: []category.Category{category.Interrupted, category.Replaced},
	},
	"a new image that does not reach the serving": {
		changes: []attributes{
			change("kuscia_app_image.a", updated, appImage("1"), appImage("2")),
			change("kuscia_serving.glm", same, glm(party("a", attributes{"image": "sf:1"})), glm(party("a", attributes{"image": "sf:1"}))),
		},
		says:       []string{"> The app image `a` changes, and the serving `glm` does not restart"},
		categories: []category.Category{category.Code},
	},
	"app images of two Kuscias with the same name": {
		fields: configured(map[string]string{"kuscia_app_image.a": "kuscia.a", "kuscia_app_image.b": "kuscia.b", "kuscia_serving.glm": "kuscia.a"}),
		changes: []attributes{
			change("kuscia_app_image.a", same, appImage("1"), appImage("1")),
			change("kuscia_app_image.b", updated, appImage("3"), appImage("4")),
			change("kuscia_serving.glm", deleted, glm(party("a")), nil),
		},
		says:       []string{"| `glm` | `alice` | `sf:1` |"},
		categories: []category.Category{category.Interrupted, category.Destroy, category.Code},
	},
	"other resources of an app image": {
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", attributes{"pod_revision": 3})), glm(party("a", attributes{"pod_revision": 4})))},
		says:    []string{"restarts without an interruption, because of `parties.alice.pod_revision`"}, categories: []category.Category{category.Restarted},
	},
	"the first pod_revision of a state without it": {
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a")), glm(party("a", attributes{"pod_revision": 1, "replicas": 2})))},
		says:    []string{"scales, nothing restarts"}, silent: []string{"because of"},
	},
	"a new image of one party": {
		changes: []attributes{change("kuscia_serving.glm", updated,
			attributes{"serving_id": "glm", "parties": attributes{"alice": party("a", attributes{"image": "sf:1", "pod_revision": 1}), "bob": party("b", attributes{"domain_id": "bob", "image": "sf:1", "pod_revision": 1})}},
			attributes{"serving_id": "glm", "parties": attributes{"alice": party("a", attributes{"image": "sf:2", "pod_revision": 2}), "bob": party("b", attributes{"domain_id": "bob", "image": "sf:1", "pod_revision": 1})}})},
		says:   []string{"because of `parties.alice.image`", "`sf:1` → `sf:2`"},
		silent: []string{"parties.bob"}, categories: []category.Category{category.Restarted, category.Code},
	},
	"a configuration that is not JSON": {
		changes: []attributes{change("kuscia_serving.glm", updated,
			glm(party("a"), attributes{"serving_input_config": "secretKey: planted-1"}), glm(party("a"), attributes{"serving_input_config": "secretKey: planted-2"}))},
		says:       []string{"restarts without an interruption, because of `serving_input_config`"},
		silent:     []string{"planted"},
		categories: []category.Category{category.Restarted, category.Code, category.Granted},
	},
	"a write-only configuration": {
		changes: []attributes{change("kuscia_serving.glm", updated,
			attributes{"serving_id": "glm", "serving_input_config_wo_version": 1, "parties": attributes{"alice": party("a")}},
			attributes{"serving_id": "glm", "serving_input_config_wo_version": 2, "parties": attributes{"alice": party("a")}})},
		says:       []string{"`write-only, version 1` → `write-only, version 2`", "because of `serving_input_config_wo_version`", "| `serving_input_config` | secret | version `1` → `2` |"},
		categories: []category.Category{category.Secret, category.Restarted, category.Code, category.Granted},
	},
	"parties and triggers that are known after apply": {
		changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), attributes{"redeploy_triggers": attributes{"x": "1"}}),
			attributes{"serving_id": "glm", "serving_input_config": `{"modelId":"glm-1"}`}, attributes{"after_unknown": attributes{"parties": true, "redeploy_triggers": true}})},
		says:       []string{"| app image `a` → known after apply (its image is not in this plan) | `glm-1` | `1` → known after apply | may be interrupted: restarts, because of `parties`, `redeploy_triggers`; update_strategy may stop all pods first |"},
		silent:     []string{"none", "leaves"},
		categories: []category.Category{category.Interrupted, category.Restarted, category.Code, category.Unknown},
	},
	"data takes a grant with it that the plan keeps": {
		changes: []attributes{
			change("kuscia_domain_data.s", replaced, scores, scores, attributes{"replace_paths": []any{[]any{"columns"}}}),
			change("kuscia_domain_data_grant.b", same, toBob, toBob),
		},
		says: []string{
			"replaces the data `scores` (which ends all grants of it) and ends the access of `bob` to `scores` (as far as this plan knows)",
			"replaced, because of `columns`; 1 grant ends with it.", "ends with its data, although the plan keeps it", "-.->|\"`may use\n\n#45; gone`\"|",
		},
		categories: []category.Category{category.Replaced, category.Revoked, category.Revoked},
	},
	"a route to another domain": {
		changes: []attributes{change("kuscia_domain_route.r", replaced, route, with(route, "destination", "carol"), attributes{"replace_paths": []any{[]any{"destination"}}})},
		says: []string{
			"This plan opens the route from `alice` to `carol` and closes the route from `alice` to `bob`.",
			"| `alice` | `bob` |  | `Token` | closes, because of `destination`; the route from `alice` to `carol` takes its place |", "| `alice` | `carol` |  | `Token` | opens |",
			`n0 -.->|"` + "`route\n\n#45; gone`" + `"| n1`, `n0 ==>|"` + "`route\n\n#43; new`" + `"| n2`,
		},
		categories: []category.Category{category.Granted, category.Routed, category.Routed, category.Destroy, category.Replaced},
	},
	"a limit is lifted": {
		changes: []attributes{change("kuscia_domain_data_grant.b", updated,
			with(toBob, "limit", attributes{"components": []string{"psi"}, "flow_id": "f", "input_config": "planted"}), with(toBob, "limit", attributes{"components": []string{}, "flow_id": "f"}))},
		says:       []string{"| `bob` | `scores` of `alice` | sees more | no end date, only for the components `psi`, only for the flow `f`, only for one configuration | no end date, only for the flow `f`; lifted: only for the components `psi`, only for one configuration |", "| `limit.input_config` | `planted` | none |"},
		categories: []category.Category{category.Granted},
	},
	"a sensitive value": {
		changes: []attributes{change("kuscia_config.k", updated, attributes{"key": "k", "value": "old-secret"}, attributes{"key": "k", "value": "new-secret"},
			attributes{"before_sensitive": attributes{"value": true}, "after_sensitive": attributes{"value": true}})},
		says:       []string{"and changes the secret `value` of the configuration entry `k` (another value).", "| `kuscia_config.k` | `value` | secret | another value |"},
		silent:     []string{"old-secret", "new-secret", "other object"},
		categories: []category.Category{category.Granted, category.Secret},
	},
	"a path into what is sensitive": {
		changes: []attributes{change("kuscia_serving.glm", replaced, glm(party("a"), attributes{"replace_triggers": attributes{"old-secret": "1"}}), glm(party("a")),
			attributes{"before_sensitive": attributes{"replace_triggers": true}, "replace_paths": []any{[]any{"replace_triggers", "old-secret"}}})},
		says:       []string{"because of `replace_triggers` |"},
		silent:     []string{"old-secret"},
		categories: []category.Category{category.Secret, category.Interrupted, category.Replaced},
	},
	"actions": {
		fields: attributes{"action_invocations": []attributes{{
			"address": "action.kuscia_serving_redeploy.glm", "type": "kuscia_serving_redeploy", "name": "glm",
			"provider_name": "registry.terraform.io/terraform-kuscia/kuscia", "config_values": attributes{"serving_id": "glm"},
		}}},
		changes:    []attributes{change("kuscia_serving.glm", same, glm(party("a")), glm(party("a")))},
		says:       []string{"This plan restarts the serving `glm` without an interruption."},
		categories: []category.Category{category.Restarted},
	},
	"an action on what is not in the plan": {
		fields: attributes{"action_invocations": []attributes{{
			"address": "action.kuscia_serving_redeploy.glm", "type": "kuscia_serving_redeploy", "name": "glm",
			"provider_name": "registry.terraform.io/terraform-kuscia/kuscia", "config_values": attributes{"serving_id": "glm"},
		}}},
		says:       []string{"This plan may interrupt the serving `glm`."},
		categories: []category.Category{category.Interrupted, category.Restarted},
	},
	"a domain is replaced": {
		changes: []attributes{
			change("kuscia_domain.c", replaced, attributes{"domain_id": "carol"}, attributes{"domain_id": "carol"}),
			change("kuscia_domain.d", replaced, attributes{"domain_id": "dave"}, attributes{"domain_id": "erin"}, attributes{"replace_paths": []any{[]any{"domain_id"}}}),
		},
		says:       []string{"This plan removes the domain `dave`, replaces the domain `carol` and adds the domain `erin`.", "[\"`dave\n\n#45; gone`\"]", "[\"`erin\n\n#43; new`\"]"},
		categories: []category.Category{category.Destroy, category.Replaced, category.Replaced, category.Granted},
	},
	"an object is forgotten": {
		changes: []attributes{change("kuscia_domain.c", []string{"forget"}, attributes{"domain_id": "carol"}, nil)},
		says:    []string{"This plan gives up control of the domain `carol`."}, categories: []category.Category{category.Forgotten},
	},
	"an import and a move": {
		changes: []attributes{change("kuscia_domain.c", same, attributes{"domain_id": "carol"}, attributes{"domain_id": "carol"},
			attributes{"importing": attributes{"id": "carol"}, "previous_address": "kuscia_domain.b"})},
		says: []string{"This plan imports the domain `carol` as it is.", "moved from `kuscia_domain.b`; imported; nothing"},
	},
	"a move": {
		changes: []attributes{change("kuscia_domain.c", same, attributes{"domain_id": "carol"}, attributes{"domain_id": "carol"}, attributes{"previous_address": "kuscia_domain.b"})},
		says:    []string{"This plan renames the domain `carol` in the state."},
	},
	"a leftover": {
		changes:    []attributes{change("kuscia_serving.glm", deleted, glm(party("a")), nil, attributes{"deposed": "12345678"})},
		says:       []string{"This plan ends the serving `glm`.", "a leftover of an earlier replacement is removed"},
		categories: []category.Category{category.Destroy, category.Interrupted},
	},
	"other providers": {
		changes: []attributes{change("aws_instance.x", created, nil, attributes{"ami": "x"}, attributes{"provider_name": "registry.terraform.io/hashicorp/aws"})},
		says:    []string{"changes `aws_instance.x` of another provider", "- What the changes of other providers mean, which are shown and not judged: 1 created.", "| `aws_instance.x` | created, a resource of another provider |"}, categories: []category.Category{category.Unknown},
	},
	"drift": {
		fields:     attributes{"resource_drift": []attributes{change("kuscia_serving.glm", updated, glm(party("a")), glm(party("a", attributes{"replicas": 5})))}},
		says:       []string{"1 object was changed outside of this plan. The plan itself changes nothing.", "### Changed without Terraform", "`parties.alice.replicas`"},
		categories: []category.Category{category.Drifted},
	},
	"a check fails": {
		fields: attributes{"checks": []attributes{{
			"address": attributes{"kind": "check", "name": "glm", "to_display": "check.glm"}, "status": "fail",
			"instances": []attributes{{"address": attributes{"to_display": "check.glm"}, "status": "fail", "problems": []attributes{{"message": "Not available."}}}},
		}}},
		says:       []string{"| `check.glm` | `Not available.` |"},
		categories: []category.Category{category.Checked},
	},
	"a change for another plan": {
		fields:     attributes{"complete": false, "deferred_changes": []attributes{{"reason": "provider_config_unknown", "resource_change": change("kuscia_domain.c", created, nil, attributes{"domain_id": "carol"})}}},
		says:       []string{"### Left for another plan", "the configuration of its provider is known after apply"},
		categories: []category.Category{category.Incomplete},
	},
}

// TestOnlyInState: a change of attributes that are only in the state sends nothing, and so is a change and
// nothing else to a gate.
func TestOnlyInState(t *testing.T) {
	t.Parallel()
	for kind, object := range map[string]attributes{
		"kuscia_domain_route":       {"source": "alice", "destination": "bob", "authentication_type": "Token"},
		"kuscia_domain_data_grant":  {"domain_id": "alice", "domaindata_id": "table", "grant_domain": "bob"},
		"kuscia_domain_data":        {"domain_id": "alice", "domaindata_id": "table", "datasource_id": "s", "relative_uri": "a"},
		"kuscia_domain_data_source": {"domain_id": "alice", "datasource_id": "s", "type": "localfs"},
		"kuscia_domain":             {"domain_id": "alice"},
		"kuscia_rollout":            {"name": "r", "namespace": "alice"},
		"kuscia_traffic_routing":    {"name": "r", "namespace": "alice"},
		"kuscia_edge_deployment":    {"name": "e", "replicas": 1},
		"kuscia_serving":            glm(party("a")),
	} {
		for _, name := range category.OnlyInState {
			report := build(t, planOf(t, nil, change(kind+".x", updated, object, with(object, name, []any{"one"}))))
			for _, f := range report.Findings {
				if len(f.Categories) > 0 {
					t.Errorf("%s of %s: the gate finds %v", name, kind, f.Categories)
				}
			}
			if !report.Changes {
				t.Errorf("%s of %s: nothing changes", name, kind)
			}
			if headline := report.Headline.Plain(phrase.English); !strings.HasPrefix(headline, "This plan changes only the state of ") {
				t.Errorf("%s of %s: %s", name, kind, headline)
			}
		}
	}
}

// TestOnlyInStateOfSchemas: the table has what the definitions of the resources say.
func TestOnlyInStateOfSchemas(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for kind, all := range provider.Attributes(t.Context()) {
		for _, a := range all {
			local, listed := a.Local && a.Effect == "", slices.Contains(category.OnlyInState, a.Name)
			if local != listed {
				t.Errorf("%s of %s: only in the state %t, in the table %t", a.Name, kind, local, listed)
			}
			found[a.Name] = true
		}
	}
	for _, name := range category.OnlyInState {
		if !found[name] {
			t.Errorf("no resource has %s", name)
		}
	}
}

func TestCases(t *testing.T) {
	t.Parallel()
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := build(t, planOf(t, test.fields, test.changes...))
			markdown := report.Markdown()
			protocol.Says(t, "the review", markdown, test.says...)
			for _, text := range test.silent {
				if strings.Contains(markdown, text) {
					t.Errorf("%q is in\n%s", text, markdown)
				}
			}
			var found []category.Category
			for _, f := range report.Findings {
				found = append(found, f.Categories...)
			}
			slices.Sort(found)
			want := slices.Sorted(slices.Values(test.categories))
			if !slices.Equal(found, want) {
				t.Errorf("the gate finds %v, want %v", found, want)
			}
		})
	}
}
