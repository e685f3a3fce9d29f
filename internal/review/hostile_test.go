package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase/phrasetest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/warnings"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// names of attributes that a review reads, so that random objects reach its code.
var names = []string{
	"serving_id", "serving_input_config", "serving_input_config_wo_version", "redeploy_triggers", "parties", "alice", "bob", "domain_id", "role", "app_image", "image",
	"name", "tag", "id", "replicas", "resources", "update_strategy", "type", "input_config", "domaindata_id", "grant_domain", "limit", "expiration_time", "use_count",
	"source", "destination", "authentication_type", "endpoint", "host", "token_config", "rolling_update_period", "cert", "mtls_config", "tls_ca", "value", "key",
	"password_wo_version", "namespace", "workload_ref", "canary", "steps", "step", "to_step", "disabled",
	"strategy", "weight", "info_key", "datasource_id", "relative_uri", "oss", "bucket", "access_key_id", "rollout_complete", "containers", "envs", "mtls_config", "source_client_cert",
}

var kinds = []string{
	"kuscia_serving", "kuscia_deployment", "kuscia_app_image", "kuscia_domain", "kuscia_domain_route", "kuscia_domain_data", "kuscia_domain_data_grant",
	"kuscia_domain_data_source", "kuscia_config", "kuscia_rollout", "kuscia_rollout_approval", "kuscia_edge_deployment", "kuscia_traffic_routing",
}

const secret = "s3cret"

// drawValue draws a value with its mark. Within what is marked, every text, key
// and number is a secret.
func drawValue(t *rapid.T, depth int, hidden bool) (raw, mark any) {
	if !hidden && rapid.IntRange(0, 5).Draw(t, "hidden") == 0 {
		raw, _ = drawValue(t, depth, true)
		return raw, true
	}
	text := rapid.SampledFrom([]string{"alice", "bob", "glm", `{"modelId":"m"}`, "1", "Recreate"}).Draw(t, "text")
	if hidden {
		text = fmt.Sprintf(rapid.SampledFrom([]string{"%s", `{"modelId":"%s"}`, `{"%s":1}`, "-----BEGIN CERTIFICATE-----\n%s"}).Draw(t, "form"), secret)
	}
	kind := rapid.IntRange(0, 4).Draw(t, "kind")
	if depth == 0 {
		kind = min(kind, 2)
	}
	switch kind {
	case 0, 1:
		return text, false
	case 2:
		if hidden {
			return 7777777.0, false
		}
		return float64(rapid.IntRange(0, 3).Draw(t, "number")), false
	case 3:
		var list, marks []any
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			element, mark := drawValue(t, depth-1, hidden)
			list, marks = append(list, element), append(marks, mark)
		}
		return list, marks
	}
	object, marks := map[string]any{}, map[string]any{}
	for range rapid.IntRange(0, 5).Draw(t, "size") {
		name := rapid.SampledFrom(names).Draw(t, "name")
		if hidden && rapid.Bool().Draw(t, "key") {
			name = secret
		}
		object[name], marks[name] = drawValue(t, depth-1, hidden)
	}
	return object, marks
}

// drawObject is an object of an object's attributes.
func drawObject(t *rapid.T) (raw, mark any) {
	object, marks := map[string]any{}, map[string]any{}
	for range rapid.IntRange(1, 12).Draw(t, "size") {
		name := rapid.SampledFrom(names).Draw(t, "name")
		object[name], marks[name] = drawValue(t, 3, false)
	}
	return object, marks
}

func drawChange(t *rapid.T) map[string]any {
	kind := rapid.SampledFrom(kinds).Draw(t, "kind")
	before, beforeMarks := drawObject(t)
	after, afterMarks := drawObject(t)
	change := map[string]any{
		"actions": rapid.SampledFrom([][]string{{"create"}, {"update"}, {"delete"}, {"delete", "create"}, {"no-op"}, {"forget"}, {"create", "forget"}}).Draw(t, "actions"),
		"before":  before, "before_sensitive": beforeMarks, "after": after, "after_sensitive": afterMarks,
		"replace_paths": []any{[]any{rapid.SampledFrom(names).Draw(t, "path")}},
	}
	object := map[string]any{"address": kind + ".x", "mode": "managed", "type": kind, "provider_name": "registry.terraform.io/terraform-kuscia/kuscia", "change": change}
	if rapid.IntRange(0, 5).Draw(t, "leftover") == 0 {
		object["deposed"] = "12345678"
	}
	return object
}

// withoutLog are the categories that need no log.
func withoutLog() []category.Category { return slices.DeleteFunc(category.All(), needsLog) }

// outputs are all outputs of the program for a plan.
func outputs(t interface{ Fatalf(string, ...any) }, from any) string {
	content, err := json.Marshal(from)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var all bytes.Buffer
	for _, format := range []string{"markdown", "text", "json"} {
		if code := Run([]string{"-format", format, "-fail-on", category.Join(withoutLog())}, bytes.NewReader(content), &all, &all); code == exitError {
			t.Fatalf("the program fails: %s", all.String())
		}
	}
	return all.String()
}

// TestSameAddress: of two objects of one address, as a plan may have that is made to show what
// another hides, each is shown with its own marks.
func TestSameAddress(t *testing.T) {
	t.Parallel()
	leftover := func(key, party string, sensitive bool) map[string]any {
		return map[string]any{
			"address": "kuscia_serving.x", "mode": "managed", "type": "kuscia_serving", "deposed": key,
			"change": map[string]any{
				"actions": []string{"update"}, "after": map[string]any{"serving_id": "glm", "parties": map[string]any{party: map[string]any{"app_image": "sf"}}},
				"after_sensitive": map[string]any{"parties": sensitive}, "before": map[string]any{"serving_id": "glm"},
			},
		}
	}
	output := outputs(t, map[string]any{"format_version": "1.2", "resource_changes": []any{leftover("00000001", secret, true), leftover("00000002", "bob", false)}})
	if strings.Contains(output, secret) || !strings.Contains(output, "parties.bob") {
		t.Error(output)
	}
}

// TestNoSensitiveValue: nothing that a plan marks as sensitive is in an output.
func TestNoSensitiveValue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var changes, drift []any
		for range rapid.IntRange(1, 5).Draw(t, "changes") {
			changes = append(changes, drawChange(t))
		}
		for range rapid.IntRange(0, 2).Draw(t, "drift") {
			drift = append(drift, drawChange(t))
		}
		output := outputs(t, map[string]any{
			"format_version": "1.2", "resource_changes": changes, "resource_drift": drift,
			"action_invocations": []any{map[string]any{
				"address": "action.kuscia_serving_redeploy.x", "type": "kuscia_serving_redeploy", "config_values": map[string]any{"serving_id": secret}, "config_sensitive": map[string]any{"serving_id": true},
			}},
			"output_changes": map[string]any{"o": map[string]any{"actions": []string{"update"}, "before": secret, "after": secret, "after_sensitive": true}},
		})
		for _, text := range []string{secret, "7777777"} {
			if strings.Contains(output, text) {
				t.Fatalf("%q is in\n%s", text, output)
			}
		}
	})
}

// FuzzHostileNames: a text in every place of a plan does not become markup.
func FuzzHostileNames(f *testing.F) {
	for _, text := range phrasetest.Hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		content, err := json.Marshal(hostilePlan(text))
		if err != nil {
			t.Skip("no JSON")
		}
		read, err := plan.Read(bytes.NewReader(content))
		if err != nil {
			t.Skip("no plan: ", err)
		}
		report := Build(read)
		report.AddDiagnostics([]warnings.Diagnostic{{Address: text, Summary: text, Detail: text}, {Summary: text + " does not exist", Detail: strings.Repeat(text, 100), IsError: true}})
		checkMarkdown(t, report.Markdown())
		report.language = phrase.Chinese
		checkMarkdown(t, withoutHan(report.Markdown()))
		report.language = phrase.English
		for _, r := range report.Text() {
			if r != '\n' && !unicode.IsPrint(r) && !unicode.IsMark(r) && !strings.ContainsRune("\u2068\u2069", r) {
				t.Errorf("the text has %U", r)
			}
		}
		content, err = report.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(content) {
			t.Errorf("no JSON: %s", content)
		}
		for _, r := range string(content) {
			if r != '\n' && !unicode.IsPrint(r) && !unicode.IsMark(r) {
				t.Errorf("the JSON has %U", r)
			}
		}
	})
}

// han are the letters and signs of words in Chinese.
var han = regexp.MustCompile(`[\p{Han}，。；：、（）]+`)

// withoutHan has words of English instead of those in Chinese.
func withoutHan(text string) string { return han.ReplaceAllString(text, "w ") }

// hostilePlan has a text wherever an object, a name or a message may be.
func hostilePlan(text string) map[string]any {
	change := func(kind string, actions []string, object map[string]any) map[string]any {
		c := map[string]any{"actions": actions, "before": object, "after": object, "replace_paths": []any{[]any{text}}}
		return map[string]any{"address": kind + "." + text, "mode": "managed", "type": kind, "provider_name": "x/y/kuscia", "change": c}
	}
	party := map[string]any{"app_image": text, "image": text, "replicas": text, "domain_id": text, "role": text}
	serving := map[string]any{"serving_id": text, "serving_input_config": `{"modelId":` + testjson.Text(text) + `}`, "parties": map[string]any{text: party}}
	grant := map[string]any{"domain_id": text, "domaindata_id": text, "grant_domain": text, "limit": map[string]any{"expiration_time": text, "use_count": text}}
	return map[string]any{
		"format_version": "1.2",
		"resource_changes": []any{
			change("kuscia_serving", []string{"delete", "create"}, serving),
			change("kuscia_domain_data_grant", []string{"delete", "create"}, grant),
			change("kuscia_domain_data", []string{"delete", "create"}, grant),
			change("kuscia_domain_route", []string{"delete", "create"}, map[string]any{"source": text, "destination": text + "2", "authentication_type": text, "endpoint": map[string]any{"host": text}}),
			change("kuscia_rollout", []string{"delete", "create"}, map[string]any{"namespace": text, "name": text, "canary": map[string]any{"steps": []any{map[string]any{"replicas": text}}}}),
			change("kuscia_domain", []string{"delete"}, map[string]any{"domain_id": text, "cert": text}),
			change("kuscia_config", []string{"delete", "create"}, map[string]any{"key": text}),
			change("kuscia_traffic_routing", []string{"create", "forget"}, map[string]any{"namespace": text, "name": text, "strategy": map[string]any{"weight": text}}),
			map[string]any{"address": "kuscia_domain." + text, "type": "kuscia_domain", "provider_name": "x/y/" + text, "change": map[string]any{"actions": []string{"create"}, "after": map[string]any{"domain_id": text}}},
		},
		"configuration": map[string]any{"root_module": map[string]any{"resources": []any{
			map[string]any{"address": "kuscia_domain." + text, "type": "kuscia_domain", "provider_config_key": text, "provisioners": []any{map[string]any{"type": text}}},
		}}},
		"action_invocations":          []any{map[string]any{"address": text, "type": text}, map[string]any{"address": text, "type": "kuscia_" + text}},
		"deferred_action_invocations": []any{map[string]any{"reason": text, "action_invocation": map[string]any{"address": text, "type": text}}},
		"output_changes":              map[string]any{text: map[string]any{"actions": []string{"update"}}},
		"checks": []any{map[string]any{
			"address": map[string]any{"to_display": text}, "status": "fail", "instances": []any{map[string]any{"problems": []any{map[string]any{"message": text}}}},
		}},
		"deferred_changes": []any{map[string]any{"reason": text, "resource_change": change("kuscia_domain", []string{"create"}, map[string]any{})}},
	}
}

// checkMarkdown: outside of code there are only words of this program.
func checkMarkdown(t *testing.T, markdown string) {
	t.Helper()
	if before, rest, ok := strings.Cut(markdown, "```mermaid\n"); ok {
		graph, after, _ := strings.Cut(rest, "```\n")
		markdown = before + "```mermaid\n" + graphLabel.ReplaceAllString(graph, "L") + "```\n" + after
	}
	inGraph := false
	for _, line := range strings.Split(markdown, "\n") {
		switch {
		case line == "```mermaid" && !inGraph:
			inGraph = true
		case line == "```" && inGraph:
			inGraph = false
		case inGraph:
			if !graphLine.MatchString(line) {
				t.Errorf("the graph has the line %s", line)
			}
		default:
			if rest := spans.ReplaceAllString(line, "v"); !ownLine.MatchString(rest) {
				t.Errorf("the line %s has %s", line, rest)
			}
		}
	}
	if inGraph {
		t.Error("the graph does not end")
	}
}

// What lines of a review look like: values are in code, and the rest is made of
// this program's words.
var (
	spans      = regexp.MustCompile("`[^`|]+`|<pre><code>[^|`]*</code></pre>|<code>[^<|]*</code>")
	ownLine    = regexp.MustCompile(`^(?:<!-- kuscia-review -->|<details><summary>[A-Za-z0-9 ,.:;→()_/-]*</summary>|</details>|(?:### |> |- )?[A-Za-z0-9 ,.:;|→()*_/-]*)$`)
	graphLine  = regexp.MustCompile(`^(?:%%\{init: \{"flowchart": \{"wrappingWidth": 300}}}%%|flowchart (?:LR|TB)|  classDef [a-z]+ [a-z0-9#:, -]+|  linkStyle [0-9,]+ stroke:#[0-9a-f]+,stroke-width:[0-9]px|  n\d+(?:\[L\]|\[\(L\)\]|\(\[L\]\)):::[a-z]+|  n\d+ [<=.>-]+(?:\|L\|)? n\d+)$`)
	graphLabel = regexp.MustCompile("\"`[^\"`<>*]*`\"")
)
