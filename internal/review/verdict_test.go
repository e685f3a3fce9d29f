package review_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// pair is a serving of alice and bob.
func pair(alice, bob attributes) attributes {
	return attributes{"serving_id": "glm", "serving_input_config": `{"modelId":"glm-1"}`, "parties": attributes{"alice": alice, "bob": bob}}
}

// ofBob is a party of bob.
func ofBob(image string, more ...attributes) attributes {
	return with(party(image, more...), "domain_id", "bob")
}

// resources are those of a party.
func resources(cpu, memory string) attributes {
	return attributes{"resources": attributes{"max_cpu": cpu, "max_memory": memory}}
}

// TestVerdict: the lines at the top have what a plan does in numbers.
func TestVerdict(t *testing.T) {
	t.Parallel()
	revision := func(n int) attributes { return attributes{"pod_revision": n, "replicas": 3} }
	for name, test := range map[string]struct {
		fields  attributes
		changes []attributes
		says    []string
		silent  []string
	}{
		"only the pods that the plan replaces restart": {
			changes: []attributes{change("kuscia_serving.glm", updated, pair(party("a", revision(1)), ofBob("a", revision(1))), pair(party("b", revision(2)), ofBob("a", revision(1))))},
			says:    []string{"- Pods that restart: 3 of 1 party\n"}, silent: []string{"Interrupted"},
		},
		"pods of a deployment": {
			changes: []attributes{change("kuscia_deployment.d", updated, deployment(party("a", revision(4))), deployment(party("a", revision(5))))},
			says:    []string{"- Pods that restart: 3 of 1 party\n"},
		},
		"a number of pods that is not known": {
			changes: []attributes{change("kuscia_serving.glm", updated, glm(without(party("a"), "replicas")), glm(without(party("b"), "replicas")))},
			says:    []string{"- Pods that restart: those of 1 party, how many is not known\n"},
		},
		"a sensitive number of instances": {
			changes: []attributes{change("kuscia_edge_deployment.x", updated,
				attributes{"name": "psi", "replicas": 777}, attributes{"name": "psi", "replicas": 777, "labels": attributes{"a": "b"}},
				attributes{"before_sensitive": attributes{"replicas": true}, "after_sensitive": attributes{"replicas": true}})},
			says: []string{"- Pods that restart: those of 1 party, how many is not known\n"}, silent: []string{"777"},
		},
		"equal grants in two Kuscias": {
			fields: configured(map[string]string{"kuscia_domain_data_grant.a": "kuscia.a", "kuscia_domain_data_grant.b": "kuscia.b", "kuscia_domain_data_grant.c": "kuscia.a"}),
			changes: []attributes{
				change("kuscia_domain_data_grant.a", created, nil, toBob), change("kuscia_domain_data_grant.b", created, nil, toBob),
				change("kuscia_domain_data_grant.c", created, nil, with(toBob, "grant_domain", "carol")),
			},
			says: []string{
				"begins the access of `bob` to `scores` in `kuscia.a`, `bob` to `scores` in `kuscia.b` and `carol` to `scores` in `kuscia.a`.",
				"- Gains access: `bob` (`scores` of `alice` in `kuscia.a`: no end date, `3` uses) (`scores` of `alice` in `kuscia.b`: no end date, `3` uses), `carol` (",
				"| `bob` | `scores` of `alice` in `kuscia.a` | gains access |", "| `bob` | `scores` of `alice` in `kuscia.b` | gains access |",
				"Agree that `bob` may see `scores` of `alice` in `kuscia.b`",
			},
		},
		"parties that are interrupted": {
			changes: []attributes{change("kuscia_serving.glm", updated, pair(party("a", recreate), ofBob("a", recreate)), pair(party("b", recreate), ofBob("b", recreate)))},
			says:    []string{"- Interrupted: 1 serving (2 parties)\n"},
		},
		"an action that interrupts": {
			fields: attributes{"action_invocations": []attributes{{
				"address": "action.kuscia_serving_redeploy.glm", "type": "kuscia_serving_redeploy", "name": "glm",
				"provider_name": "registry.terraform.io/terraform-kuscia/kuscia", "config_values": attributes{"serving_id": "glm"},
			}}},
			changes: []attributes{change("kuscia_serving.glm", same, pair(party("a", recreate), ofBob("a")), pair(party("a", recreate), ofBob("a")))},
			says: []string{
				"- Interrupted: 1 serving (1 party)\n", "- Pods that restart: 2 of 2 parties\n",
				"| `alice` | Tell those who use the serving `glm`: interrupted: restarts; update_strategy stops all pods first |",
			},
		},
		"more resources": {
			changes: []attributes{change("kuscia_serving.glm", updated,
				glm(party("a", resources("2", "4Gi"), attributes{"replicas": 2})), glm(party("a", resources("64", "4Gi"), attributes{"replicas": 3})))},
			says: []string{"- Pods: 3, before 2. CPU: `+188`, memory: `+4Gi`\n"},
		},
		"a serving that ends": {
			changes: []attributes{change("kuscia_serving.glm", deleted, glm(party("a", resources("500m", "512Mi"))), nil)},
			says:    []string{"- Pods: 0, before 1. CPU: `-500m`, memory: `-512Mi`\n", "- Interrupted: 1 serving (1 party)\n"},
		},
		"resources of the app image": {
			changes: []attributes{
				change("kuscia_app_image.a", same, limited("1"), limited("1")),
				change("kuscia_serving.glm", updated, glm(party("a")), glm(party("a", attributes{"replicas": 4}))),
			},
			says: []string{"- Pods: 4, before 1. CPU: `+3`, memory: no limit is set\n"},
		},
		"resources that are not known": {
			changes: []attributes{change("kuscia_serving.glm", created, nil, glm(party("a")))},
			says:    []string{"- Pods: 1, before 0. CPU and memory: not known\n"},
		},
		"resources that nobody has": {
			changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a", resources("1e3000000", "4Gi"))), glm(party("a", resources("2", "4Gi"))))},
			says:    []string{"- Pods: 1, before 1. CPU and memory: not known\n"},
		},
		"resources of an edge deployment": {
			changes: []attributes{change("kuscia_edge_deployment.e", updated, edge("1"), edge("3"))},
			says:    []string{"- Pods that restart: 2 of 1 party\n", "- Pods: 2, before 2. CPU: `+4`, memory: no limit is set\n"},
		},
		"access": {
			changes: []attributes{
				change("kuscia_domain_data_grant.carol", created, nil, with(toBob, "grant_domain", "carol")),
				change("kuscia_domain_data_grant.bob", deleted, toBob, nil),
				change("kuscia_domain_data_grant.dave", updated, with(toBob, "grant_domain", "dave"), with(with(toBob, "grant_domain", "dave"), "limit", attributes{"use_count": 4})),
			},
			says: []string{
				"- Gains access: `carol` (`scores` of `alice`: no end date, `3` uses)\n", "- Loses access, as far as this plan knows: `bob` (`scores` of `alice`)\n", "- Sees more, or may use it more: `dave` (`scores` of `alice`: `3` uses → `4` uses)\n",
				"- Cannot be taken back: what has been read with the new access\n",
				"| `dave` | `scores` of `alice` | sees more | no end date, `3` uses | no end date, `4` uses |",
			},
		},
		"another grant stays": {
			changes: []attributes{change("kuscia_domain_data_grant.a", deleted, toBob, nil), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
			says:    []string{"| `bob` | `scores` of `alice` | another grant gives it too | no end date, `3` uses | none by this grant, another one stays |"}, silent: []string{"Loses access"},
		},
		"another grant without a limit": {
			changes: []attributes{
				change("kuscia_domain_data_grant.a", same, toBob, toBob),
				change("kuscia_domain_data_grant.b", created, nil, without(toBob, "limit")),
			},
			says: []string{
				"This plan widens the access of `bob` to `scores`.", "- Sees more, or may use it more: `bob` (`scores` of `alice`: lifted: `3` uses)\n", "- Cannot be taken back: what has been read with the new access\n",
				"| `alice` | Agree that `bob` may see `scores` of `alice`: no end date; lifted: `3` uses |", "| `bob` | `scores` of `alice` | sees more | no end date, `3` uses | no end date; lifted: `3` uses |",
			},
			silent: []string{"another one of the same data"},
		},
		"another grant with a tighter limit": {
			changes: []attributes{
				change("kuscia_domain_data_grant.a", same, without(toBob, "limit"), without(toBob, "limit")),
				change("kuscia_domain_data_grant.b", created, nil, with(toBob, "limit", attributes{"use_count": 1})),
			},
			says:   []string{"This plan changes the access of `bob` to `scores`.", "- Another grant of the same data gives access too: `bob` (`scores` of `alice`)\n"},
			silent: []string{"Cannot be taken back"},
		},
		"two new grants of which one has no limit": {
			changes: []attributes{
				change("kuscia_domain_data_grant.a", created, nil, toBob),
				change("kuscia_domain_data_grant.b", created, nil, without(toBob, "limit")),
			},
			says: []string{"- Gains access: `bob` (`scores` of `alice`: no end date, `3` uses) (`scores` of `alice`: no end date)\n"},
		},
		"a limit is added": {
			changes: []attributes{change("kuscia_domain_data_grant.b", updated, with(toBob, "limit", nil), with(toBob, "limit", attributes{"expiration_time": "2040-02-01T00:00:00Z"}))},
			says:    []string{"| other conditions | no end date | until `2040-02-01T00:00:00Z` |"},
		},
		"features": {
			changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), features("http://a/x")), glm(party("a"), features("http://b/x")))},
			says:    []string{"| `alice` | features of the serving `glm` | reads from another place | `httpOpts http://a/x` | `httpOpts http://b/x` |", "| `kuscia_serving.glm` | `serving_input_config: partyConfigs.alice.featureSourceConfig.httpOpts.endpoint` | `http://a/x` | `http://b/x` |"},
		},
		"a data source": {
			changes: []attributes{change("kuscia_domain_data_source.s", updated, attributes{"domain_id": "alice", "datasource_id": "s", "localfs": attributes{"path": "/a"}}, attributes{"domain_id": "alice", "datasource_id": "s", "localfs": attributes{"path": "/b"}})},
			says:    []string{"| readers that this plan does not know | all data of the data source `s` of `alice` | sees other data | `localfs.path` `/a` | `localfs.path` `/b` |"},
		},
		"what others have changed": {
			fields: attributes{"resource_drift": []any{change("kuscia_domain_data_grant.b", updated, toBob, with(toBob, "grant_domain", "mallory"))}},
			says:   []string{"- Changed without Terraform: 1 object\n", "- Gains access: `mallory` (`scores` of `alice`: no end date, `3` uses) (outside of this plan)\n", "**Kuscia:** Access has changed outside of this plan: `mallory` gains access (`scores` of `alice`), `bob` loses access (`scores` of `alice`). The plan does not undo it. The plan itself changes nothing.", "### Who may see which data without Terraform", "| `grant_domain` | `bob` | `mallory` |"},
		},
		"settings without a restart": {
			changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a")), glm(party("a", recreate)))},
			says:    []string{"This plan changes settings of the serving `glm`, without a restart.", "| `parties.alice.update_strategy.type` | none | `Recreate` |"},
		},
		"unknown values": {
			changes: []attributes{change("kuscia_domain.a", updated, attributes{"domain_id": "alice", "cert": "x"}, attributes{"domain_id": "alice"}, unknown(attributes{"cert": true}))},
			says:    []string{"- Values of 1 object that are known only after the apply.\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			markdown := build(t, planOf(t, test.fields, test.changes...)).Markdown()
			protocol.Says(t, "the review", markdown, test.says...)
			for _, text := range test.silent {
				if strings.Contains(markdown, text) {
					t.Errorf("%q is in\n%s", text, markdown)
				}
			}
		})
	}
}

// limited is an app image with a limit of CPU.
func limited(cpu string) attributes {
	c := attributes{"name": "c", "resources": attributes{"limits": attributes{"cpu": cpu}}}
	return attributes{"name": "a", "deploy_templates": []any{attributes{"containers": []any{c}}}}
}

// edge is an edge deployment of two instances with a limit of CPU.
func edge(cpu string) attributes {
	return attributes{"name": "e", "replicas": 2, "containers": []any{attributes{"name": "c", "resources": attributes{"limits": attributes{"cpu": cpu}}}}}
}

// TestValues: every value that changes is shown, a long one cut in the middle and once more as a
// whole, and a secret is said to be one.
func TestValues(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 200) + "\n<b>&\n" + strings.Repeat("z", 200)
	image := func(env ...any) attributes {
		return attributes{"name": "a", "deploy_templates": []any{attributes{"containers": []any{attributes{"env": env}}}}}
	}
	variable := func(name, value string) attributes { return attributes{"name": name, "value": value} }
	for name, test := range map[string]struct {
		changes      []attributes
		says, silent []string
	}{
		"a long value": {
			changes: []attributes{change("kuscia_app_image.a", updated, attributes{"config_templates": attributes{"f": "short"}}, attributes{"config_templates": attributes{"f": long}})},
			says: []string{
				"| `config_templates.f` | `short` | `" + strings.Repeat("a", 80) + "…" + strings.Repeat("z", 40) + "` (406 characters, SHA-256 ",
				"<summary><code>config&#95;templates&#46;f</code>, after</summary>", strings.Repeat("a", 200) + "<br>&#60;b&#62;&#38;<br>" + strings.Repeat("z", 200) + "</code></pre>",
			},
		},
		"new and removed objects": {
			changes: []attributes{
				change("kuscia_domain_data.a", created, nil, with(with(scores, "domaindata_id", "salaries"), "relative_uri", "a.csv"), unknown(attributes{"id": true})),
				change("kuscia_domain_data.b", deleted, with(scores, "relative_uri", "b.csv"), nil),
			},
			says: []string{"| `relative_uri` | none | `a.csv` |", "| `relative_uri` | `b.csv` | none |"}, silent: []string{"| `id` |"},
		},
		"sensitive values": {
			changes: []attributes{change("kuscia_config.k", updated, attributes{"key": "k", "value": "planted-1"}, attributes{"key": "k", "value": "planted-2"}, secretly(attributes{"value": true}))},
			says:    []string{"| `value` | (sensitive) | another value: (sensitive) |", "- 1 value that is sensitive or has a secret."}, silent: []string{"planted"},
		},
		"variables with secrets": {
			changes: []attributes{change("kuscia_app_image.a", updated, image(variable("DB_PASSWORD", "planted-1"), variable("URL", "mysql://u:planted@h/d"), variable("MODE", "a")),
				image(variable("DB_PASSWORD", "planted-2"), variable("URL", "mysql://u:planted@h/e"), variable("MODE", "b")))},
			says: []string{
				"`deploy_templates.0.containers.0.env.0.value` | (not shown: it is named like a secret, or contains one) | another value: (not shown:",
				"`mysql://…@h/d` | `mysql://…@h/e` |", "`deploy_templates.0.containers.0.env.2.value` | `a` | `b` |",
			},
			silent: []string{"planted"},
		},
		"arguments with secrets": {
			changes: []attributes{change("kuscia_app_image.a", updated, container("--token=planted-1"), container("--token=planted-2"))}, says: []string{"| `--token=***` | another value: `--token=***` |"}, silent: []string{"planted"},
		},
		"passwords of commands and variables": {
			changes: []attributes{change("kuscia_app_image.a", updated, image(variable("REDIS_AUTH", "planted-1"), variable("CMD", "mysql --password planted-1 -u u")),
				image(variable("REDIS_AUTH", "planted-2"), variable("CMD", "mysql --password planted-2 -u v")))},
			says: []string{"another value: (not shown:", "`mysql --password *** -u v`"}, silent: []string{"planted"},
		},
		"a name of a secret in a path": {
			changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "a/scores.csv"), with(scores, "relative_uri", "a/password=b/../../hr/salaries.csv")), change("kuscia_domain_data_grant.b", same, toBob, toBob)},
			says:    []string{"| `relative_uri` | `a/scores.csv` | `a/password=***/../../hr/salaries.csv` |", "- Sees other data: `bob` (`scores` of `alice`: the data changes: `relative_uri` `a/scores.csv` → `a/password=***/../../hr/salaries.csv`)"},
		},
		"keys in a text for the application": {
			changes: []attributes{change("kuscia_serving.glm", updated, glm(party("a"), attributes{"serving_input_config": `{"secretKey":"planted-1","threads":1}`}), glm(party("a"), attributes{"serving_input_config": `{"secretKey":"planted-2","threads":2}`}))},
			says:    []string{"`serving_input_config: secretKey` | (not shown:", "`serving_input_config: threads` | `1` | `2` |"}, silent: []string{"planted"},
		},
		"values that look like words of a review": {
			changes: []attributes{change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "(known after apply)"), with(scores, "relative_uri", "(sensitive)"))},
			says:    []string{"| `relative_uri` | `\"(known after apply)\"` | `\"(sensitive)\"` |"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			markdown := build(t, planOf(t, nil, test.changes...)).Markdown()
			protocol.Says(t, "the review", markdown, test.says...)
			for _, text := range test.silent {
				if strings.Contains(markdown, text) {
					t.Errorf("%q is in\n%s", text, markdown)
				}
			}
		})
	}
}

// TestLongValues: what changes in a value of any length can be read, and what is left out is said; the
// text has all of it.
func TestLongValues(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 400 {
		lines = append(lines, fmt.Sprintf("option-%d = 1 # a line of a template", i))
	}
	changed := slices.Clone(lines)
	changed[200] = "option-200 = evil"
	templates := func(text ...string) attributes {
		return attributes{"name": "a", "config_templates": attributes{"f": strings.Join(text, "\n")}}
	}
	const unseen = " long value"
	for _, n := range []int{500, 3000, 20000, 300000} {
		long := strings.Repeat("a", n)
		for name, test := range map[string]struct{ before, after attributes }{
			"a long line":    {container("x" + long + "curl good" + long), container("x" + long + "curl evil" + long)},
			"a text":         {templates(lines...), templates(changed...)},
			"in a long text": {templates(long, "good", "b", long), templates(long, "evil", "b", long)},
		} {
			plan := planOf(t, nil, change("kuscia_app_image.a", updated, test.before, test.after))
			markdown := build(t, plan).Markdown()
			if !strings.Contains(markdown, "evil") || !strings.Contains(markdown, ", what changes</summary>") || strings.Contains(markdown, unseen) || len(markdown) > maxBody {
				t.Errorf("%s of %d: the change is not in %.9000s", name, n, markdown)
			}
			protocol.Says(t, "the text", strings.ReplaceAll(build(t, plan).Text(), "\n  | ", "\n"), testText(test.before), testText(test.after))
		}
		markdown := build(t, planOf(t, nil, change("kuscia_app_image.a", created, nil, container(long+"evil"+long)))).Markdown()
		if isWhole := strings.Contains(markdown, "evil"); isWhole != (2*n < maxBody*2/3) || isWhole == strings.Contains(markdown, unseen) {
			t.Errorf("a new value of %d: %.9000s", n, markdown)
		}
		markdown = build(t, planOf(t, nil, change("kuscia_app_image.a", updated, container(long), container(strings.Repeat("evil", n))))).Markdown()
		if isWhole := strings.Contains(markdown, strings.Repeat("evil", n)); isWhole == strings.Contains(markdown, unseen) {
			t.Errorf("another value of %d: whole %t: %.9000s", n, isWhole, markdown)
		}
	}
}

// testText is the text of an app image that is long.
func testText(image attributes) string {
	if text, ok := image["config_templates"].(attributes); ok {
		return text["f"].(string)
	}
	return image["deploy_templates"].([]any)[0].(attributes)["containers"].([]any)[0].(attributes)["command"].([]any)[0].(string)
}

// TestManyColumns: every new column is named, in the line and in the table.
func TestManyColumns(t *testing.T) {
	t.Parallel()
	names := []string{"id"}
	for i := range 30 {
		names = append(names, fmt.Sprint("c", i))
	}
	names = append(names, "salary")
	report := build(t, planOf(t, nil, change("kuscia_domain_data.s", updated, with(scores, "columns", columns("id")), with(scores, "columns", columns(names...))), change("kuscia_domain_data_grant.b", same, toBob, toBob)))
	for _, text := range []string{report.Markdown(), report.Text()} {
		lines := 0
		for line := range strings.Lines(text) {
			if strings.Contains(line, "bob") && strings.Contains(line, "salary") {
				lines++
			}
		}
		if lines < 3 || strings.Contains(text, " more") && strings.Contains(text, "2 more") {
			t.Errorf("the column is in %d lines of\n%s", lines, text)
		}
	}
}

// TestMade: a review says of which commit it is, and with what and when the plan was made.
func TestMade(t *testing.T) {
	t.Parallel()
	stdout, _ := program(t, 0, `{"format_version":"1.2","terraform_version":"1.11.4","timestamp":"2026-11-29T12:00:00Z"}`, "-commit", "abc123")
	protocol.Says(t, "the review", stdout, "Plan: Terraform or OpenTofu `1.11.4`, `2026-11-29T12:00:00Z`, commit `abc123`")
}
