package review_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// because are the attributes that cause a replacement.
func because(attributes ...any) map[string]any {
	var paths []any
	for _, attribute := range attributes {
		paths = append(paths, []any{attribute})
	}
	return map[string]any{"replace_paths": paths}
}

// anotherIdentity are replacements by an object of another identity. What the gate refuses of each is destroy,
// replace, and these categories.
var anotherIdentity = map[string]struct {
	refused      []string
	fields       attributes
	changes      []attributes
	headline     string
	says, silent []string
}{
	"a serving": {
		refused:  []string{"interrupted", "code"},
		changes:  []attributes{change("kuscia_serving.glm", replaced, pair(party("a"), ofBob("a")), with(pair(party("a", attributes{"replicas": 3}), ofBob("a")), "serving_id", "glm2"), because("serving_id"))},
		headline: "This plan ends the serving `glm` and starts the serving `glm2`.",
		says: []string{
			"| `alice` | Tell those who use the serving `glm`: the pods of `alice` stop for good; the serving `glm2` takes its place, at another address |",
			"- Stops for good: `alice` in the serving `glm` (pods: `1`), `bob` in the serving `glm` (pods: `1`)\n", "- Pods: 4, before 2.",
			"| `glm` | `alice`, `bob` | app image `a` (its image is not in this plan) | `glm-1` | `1` | ends, because of `serving_id` (fixed when a serving is created); the serving `glm2` takes its place |",
			"| `glm2` | `alice` | app image `a` (its image is not in this plan) | `glm-1` | `3` | starts |",
			"| `serving_id` | `glm` | `glm2` |\n| `parties.alice.replicas` | `1` | `3` |\n",
			"([\"`glm\n\na\n\n#45; gone`\"]):::gone", "([\"`glm2\n\na\n\n#43; new`\"]):::new",
		},
		silent: []string{"interrupted: ", "users of the serving `glm2`", "use the serving `glm2`"},
	},
	"a KusciaDeployment": {
		refused:  []string{"interrupted", "code"},
		changes:  []attributes{change("kuscia_deployment.d", replaced, deployment(party("a")), with(deployment(party("a")), "name", "e"), because("name"))},
		headline: "This plan ends the serving `d` and starts the serving `e`.",
		says:     []string{"| Tell those who use the serving `d`: the pods of `alice` stop for good; the serving `e` takes its place, at another address |", "| ends, because of `name`; the serving `e` takes its place |"},
	},
	"a serving with another text": {
		refused: []string{"grant"},
		changes: []attributes{change("kuscia_serving.glm", replaced, glm(party("a")), with(glm(party("a"), attributes{"serving_input_config": `{"modelId":"glm-2","x":1}`}), "serving_id", "glm2"), because("serving_id"))},
		says:    []string{"| `serving_id` | `glm` | `glm2` |\n| `serving_input_config: modelId` | `glm-1` | `glm-2` |\n", "- Runs another program, or in another way: the serving `glm2` (`serving_input_config: modelId` `glm-1` → `glm-2`, `serving_input_config: x` none → `1`)"},
	},
	"a serving whose new id is known after apply": {
		refused:  []string{"interrupted", "unknown"},
		changes:  []attributes{change("kuscia_serving.glm", replaced, glm(party("a")), without(glm(party("a")), "serving_id"), because("serving_id"), unknown(attributes{"serving_id": true}))},
		headline: "This plan ends the serving `glm` and starts the serving `kuscia_serving.glm`.",
		says:     []string{"ends, because of `serving_id` (fixed when a serving is created); one whose name is known after apply takes its place |", "| Tell those who use the serving `glm`: the pods of `alice` stop for good; one whose name is known after apply takes its place, at another address |", "| `serving_id` | `glm` | known after apply |"},
	},
	"a serving whose id is hidden": {
		refused: []string{"interrupted", "credentials"},
		changes: []attributes{change("kuscia_serving.glm", replaced, glm(party("a")), with(glm(party("a")), "serving_id", "planted"), because("serving_id"), secretly(attributes{"serving_id": true}))},
		says:    []string{"ends, because of `serving_id` (fixed when a serving is created); another one takes its place |", "another value: (sensitive)"}, silent: []string{"planted"},
	},
	"an edge deployment": {
		refused:  []string{"interrupted", "code"},
		changes:  []attributes{change("kuscia_edge_deployment.e", replaced, attributes{"name": "e", "node_ids": []any{}}, attributes{"name": "f", "node_ids": []any{"n2"}}, because("name"))},
		headline: "This plan ends the edge deployment `e` and creates the edge deployment `f`.",
		says:     []string{"- Interrupted: 1 serving (1 party)", "| `name` | `e` | `f` |\n| `node_ids.0` | none | `n2` |"},
	},
	"an app image": {
		refused:  []string{"code"},
		changes:  []attributes{change("kuscia_app_image.a", replaced, container("sh"), with(container("evil"), "name", "b"), because("name"))},
		headline: "This plan removes the app image `a` and creates the app image `b`.",
		says: []string{
			"| `deploy_templates.0.containers.0.command.0` | `sh` | `evil` |\n| `name` | `a` | `b` |",
			"removed, because of <code>name</code>; the app image <code>b</code> takes its place",
			"- Runs another program, or in another way: the app image `b` (`deploy_templates.0.containers.0.command.0` `sh` → `evil`), used by servings that this plan does not know",
		},
	},
	"an app image to which a serving moves": {
		refused: []string{"code"},
		changes: []attributes{
			change("kuscia_app_image.a", replaced, container("sh"), with(container("evil"), "name", "b"), because("name")),
			change("kuscia_serving.glm", updated, glm(party("a")), glm(party("b"))),
		},
		says: []string{"- Runs another program, or in another way: the serving `glm` (`parties.alice.app_image` `a` → `b`); the app image `b` (`deploy_templates.0.containers.0.command.0` `sh` → `evil`), used by `glm`"},
	},
	"a Rollout": {
		refused:  []string{"release"},
		changes:  []attributes{change("kuscia_rollout.d", replaced, planned, with(with(planned, "name", "x"), "workload_ref", attributes{"name": "x"}), because("name"))},
		headline: "This plan turns off the step-by-step release of `alice/d` and creates the Rollout `x` of `alice`.",
		says:     []string{"- Step-by-step release of `alice/d`: removed, because of `name`; the Rollout `x` of `alice` takes its place; from then on all pods are updated without steps."},
	},
	"a data source": {
		refused:  []string{"grant", "revoke"},
		changes:  []attributes{change("kuscia_domain_data_source.f", replaced, localfs("/pub"), with(localfs("/hr"), "datasource_id", "other"), because("datasource_id")), change("kuscia_domain_data.s", same, inSource, inSource)},
		headline: "This plan removes the data source `files` (whose data can no longer be read) and creates the data source `other` of `alice`.",
		says:     []string{"| `datasource_id` | `files` | `other` |", "| `localfs.path` | `/pub` | `/hr` |"},
		silent:   []string{"from another place", "Sees other data"},
	},
	"a data source that is in use": {
		refused: []string{"grant", "revoke"},
		changes: []attributes{
			change("kuscia_domain_data_source.f", replaced, with(localfs("/pub"), "datasource_id", "other"), localfs("/hr"), because("datasource_id")), change("kuscia_domain_data.s", same, inSource, inSource),
		},
		headline: "This plan reads the data source `files` from another place and removes the data source `other` (whose data can no longer be read).",
	},
	"a configuration entry": {
		refused:  []string{"credentials"},
		changes:  []attributes{change("kuscia_config.k", replaced, attributes{"key": "k", "value": "planted-a"}, attributes{"key": "l", "value": "planted-b"}, because("key"), secretly(attributes{"value": true}))},
		headline: "This plan removes the configuration entry `k` and creates the configuration entry `l`.",
		silent:   []string{"planted"},
	},
	"data": {
		refused:  []string{"grant", "revoke"},
		changes:  []attributes{change("kuscia_domain_data.s", replaced, scores, with(scores, "domaindata_id", "scores2"), because("domaindata_id")), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
		headline: "This plan removes the data `scores` (which ends all grants of it), ends the access of `bob` to `scores` (as far as this plan knows) and creates the data `scores2` of `alice`.",
		says: []string{
			"The data `scores` of `alice`: removed, because of `domaindata_id`; the data `scores2` of `alice` takes its place; 1 grant ends with it.",
			"- Cannot be taken back: the access of all others who may read `scores`, who are not known here",
		},
	},
	"data with its grant, and a grant that stays": {
		refused: []string{"grant", "revoke"},
		changes: []attributes{
			change("kuscia_domain_data.s", replaced, with(scores, "relative_uri", "a.csv"), with(with(scores, "domaindata_id", "scores2"), "relative_uri", "b.csv"), because("domaindata_id")),
			change("kuscia_domain_data_grant.b", replaced, toBob, with(toBob, "domaindata_id", "scores2"), because("domaindata_id")),
			change("kuscia_domain_data_grant.c", same, with(with(toBob, "domaindata_id", "scores2"), "grant_domain", "carol"), with(with(toBob, "domaindata_id", "scores2"), "grant_domain", "carol")),
		},
		headline: "This plan begins the access of `bob` to `scores2`, changes what can be read of the data `scores2`, removes the data `scores` (which ends all grants of it) and ends the access of `bob` to `scores` (as far as this plan knows).",
		says: []string{
			"| `bob` | `scores2` of `alice` | gains access | none | no end date, `3` uses; `relative_uri` `b.csv` |", "| `carol` | `scores2` of `alice` | sees other data |", "| `bob` | `scores` of `alice` | loses access |",
			"| `relative_uri` | `a.csv` | `b.csv` |",
		},
	},
	"data whose new id is known after apply": {
		refused:  []string{"grant", "revoke", "unknown"},
		changes:  []attributes{change("kuscia_domain_data.s", replaced, scores, without(scores, "domaindata_id"), because("type"), unknown(attributes{"domaindata_id": true, "type": true}))},
		headline: "This plan removes the data `scores` (which ends all grants of it) and creates `kuscia_domain_data.s`.",
	},
	"data with a hidden id, and its grant": {
		refused: []string{"grant", "revoke"},
		changes: []attributes{
			change("kuscia_domain_data.s", replaced, scores, with(scores, "domaindata_id", "planted"), because("domaindata_id"), secretly(attributes{"domaindata_id": true})),
			change("kuscia_domain_data_grant.b", replaced, toBob, with(toBob, "domaindata_id", "planted"), because("domaindata_id")),
		},
		says: []string{"| `bob` | data of `alice` that is sensitive | gains access |", "| `bob` | data of `alice` that is sensitive | loses access |"}, silent: []string{"planted", "scores"},
	},
	"a grant to another reader": {
		refused:  []string{"grant", "revoke"},
		changes:  []attributes{change("kuscia_domain_data_grant.b", replaced, toBob, with(toBob, "grant_domain", "carol"), because("grant_domain"))},
		headline: "This plan begins the access of `carol` to `scores` and ends the access of `bob` to `scores` (as far as this plan knows).",
		says:     []string{"removed, because of <code>grant&#95;domain</code>; the grant of <code>scores</code> of <code>alice</code> to <code>carol</code> takes its place", "| `grant_domain` | `bob` | `carol` |"},
	},
	"a grant to a reader that is known after apply": {
		refused:  []string{"grant", "revoke", "unknown"},
		changes:  []attributes{change("kuscia_domain_data_grant.b", replaced, toBob, without(toBob, "grant_domain"), because("grant_domain"), unknown(attributes{"grant_domain": true}))},
		headline: "This plan begins the access of a reader that is known after apply to `scores` and ends the access of `bob` to `scores` (as far as this plan knows).",
	},
	"a grant whose own id is known after apply is the same": {
		changes:  []attributes{change("kuscia_domain_data_grant.b", replaced, with(toBob, "domaindatagrant_id", "g"), toBob, unknown(attributes{"domaindatagrant_id": true}))},
		headline: "This plan interrupts the access of `bob` to `scores` (grants are deleted and created again).",
	},
	"a route": {
		refused:  []string{"route"},
		changes:  []attributes{change("kuscia_domain_route.r", replaced, toGateway, with(toGateway, "destination", "carol"), because("destination"))},
		headline: "This plan opens the route from `alice` to `carol` and closes the route from `alice` to `bob`.",
		says: []string{
			"| `alice` | `bob` | `bob.example`, port `443` (`HTTP` with TLS) | `Token` | closes, because of `destination`; the route from `alice` to `carol` takes its place |",
			"| `alice` | `carol` | `bob.example`, port `443` (`HTTP` with TLS) | `Token` | opens |", "| `destination` | `bob` | `carol` |",
		},
	},
	"a domain": {
		changes:  []attributes{change("kuscia_domain.d", replaced, attributes{"domain_id": "dave", "cert": "x"}, attributes{"domain_id": "erin", "cert": "y"}, because("domain_id"))},
		refused:  []string{"credentials"},
		headline: "This plan removes the domain `dave` and adds the domain `erin`.",
		says:     []string{"removed, because of <code>domain&#95;id</code>; the domain <code>erin</code> takes its place", "| `domain_id` | `dave` | `erin` |", "the deploy token of the domain `dave`"},
	},
	"two servings that change their ids": {
		refused: []string{"interrupted"},
		fields:  one,
		changes: []attributes{
			change("kuscia_serving.a", replaced, glm(party("a")), with(glm(party("a")), "serving_id", "glm2"), because("serving_id")),
			change("kuscia_serving.b", replaced, with(glm(party("a")), "serving_id", "glm2"), glm(party("a")), because("serving_id")),
		},
		headline: "This plan interrupts the servings `glm2` and `glm`.",
		silent:   []string{"takes its place", "for good"},
	},
	"a serving that another block creates again": {
		refused: []string{"interrupted", "code"},
		fields:  one,
		changes: []attributes{
			change("kuscia_serving.a", replaced, glm(party("a")), with(glm(party("a", attributes{"replicas": 2})), "serving_id", "glm2"), because("serving_id")),
			change("kuscia_serving.b", created, nil, glm(party("a"))),
		},
		headline: "This plan interrupts the serving `glm` and starts the serving `glm2`.",
		says:     []string{"| `serving_id` | `glm` | `glm2` |\n| `parties.alice.replicas` | `1` | `2` |\n"},
	},
	"a serving that takes the id of one that ends": {
		refused: []string{"interrupted"},
		fields:  one,
		changes: []attributes{
			change("kuscia_serving.a", replaced, glm(party("a")), with(glm(party("a", attributes{"replicas": 2})), "serving_id", "glm2"), because("serving_id")),
			change("kuscia_serving.b", deleted, with(glm(party("a")), "serving_id", "glm2"), nil),
		},
		headline: "This plan ends the serving `glm` and interrupts the serving `glm2`.",
		says:     []string{"| `serving_id` | `glm` | `glm2` |", "| Tell those who use the serving `glm`: the pods of `alice` stop for good; the serving `glm2`", "| `glm2` | `alice` | app image `a` (its image is not in this plan) | `glm-1` | `1` → `2` | interrupted: replaced, because of another block"},
	},
}

// TestAnotherIdentity: a replacement by an object of another identity is the end of one, which those who use it
// are told of by its name, and the begin of another; what differs between the two is shown.
func TestAnotherIdentity(t *testing.T) {
	t.Parallel()
	for name, test := range anotherIdentity {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := planOf(t, test.fields, test.changes...)
			markdown := build(t, plan).Markdown()
			_, headline, _ := strings.Cut(markdown, "**Kuscia:** ")
			if headline, _, _ = strings.Cut(headline, "\n"); test.headline != "" && headline != test.headline {
				t.Errorf("the headline is %s\nwant %s", headline, test.headline)
			}
			protocol.Says(t, "the review", markdown, test.says...)
			for _, text := range test.silent {
				if strings.Contains(markdown, text) {
					t.Errorf("%q is in\n%s", text, markdown)
				}
			}
			refused := append([]string{"replace"}, test.refused...)
			if len(test.refused) > 0 {
				refused = append(refused, "destroy")
			}
			for _, category := range refused {
				program(t, 2, plan, "-fail-on", category)
			}
		})
	}
}
