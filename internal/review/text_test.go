package review_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// numbered are n names.
func numbered(name string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("%s-%02d", name, i))
	}
	return all
}

// failing is a check that fails.
func failing(problems ...string) attributes {
	var all []attributes
	for _, problem := range problems {
		all = append(all, attributes{"message": problem})
	}
	address := attributes{"kind": "check", "to_display": "check.c", "name": "c"}
	return attributes{"address": address, "status": "fail", "instances": []attributes{{"address": address, "status": "fail", "problems": all}}}
}

// TestWholeLists: the text has all names of a list, of which a comment has the first ones and says how many there are more.
func TestWholeLists(t *testing.T) {
	t.Parallel()
	alike, unlike, outputs, limit := attributes{}, attributes{}, attributes{}, []any{}
	for i, name := range numbered("party", 30) {
		alike[name] = with(party("image"), "domain_id", name)
		unlike[name] = with(party(numbered("image", 30)[i]), "domain_id", name)
	}
	for _, name := range numbered("output", 30) {
		outputs[name] = attributes{"actions": created, "before": nil, "after": 1}
	}
	for _, name := range numbered("component", 30) {
		limit = append(limit, name)
	}
	configuration := configured(map[string]string{"kuscia_serving.alike": "kuscia.b", "kuscia_app_image.a": "kuscia.a"})["configuration"].(attributes)
	for _, name := range numbered("server", 150) {
		configuration["provider_config"].(attributes)["kuscia."+name] = attributes{"name": "kuscia", "alias": name, "expressions": attributes{"endpoint": attributes{"constant_value": "https://" + name + ".example"}}}
	}
	changes := []attributes{
		change("kuscia_domain_data_grant.g", created, nil, with(toBob, "limit", attributes{"components": limit})),
		change("kuscia_app_image.a", updated, container("./serve"), container("curl")),
		change("kuscia_serving.alike", created, nil, attributes{"serving_id": "alike", "parties": alike}),
		change("kuscia_serving.unlike", created, nil, attributes{"serving_id": "unlike", "parties": unlike}),
	}
	for _, name := range numbered("user", 30) {
		s := with(glm(party("a")), "serving_id", name)
		changes = append(changes, change("kuscia_serving."+name, same, s, s))
		configuration["root_module"] = attributes{"resources": append(configuration["root_module"].(attributes)["resources"].([]any),
			attributes{"address": "kuscia_serving." + name, "mode": "managed", "type": "kuscia_serving", "name": name, "provider_config_key": "kuscia.a"})}
	}
	input := planOf(t, attributes{"checks": []attributes{failing(numbered("problem", 30)...)}, "output_changes": outputs, "configuration": configuration}, changes...)
	text, _ := program(t, 0, input, "-format", "text")
	comment, _ := program(t, 0, input)
	for list, test := range map[string]struct {
		n             int
		line, comment string
	}{
		"party":     {30, "\n  \"alike\"", "| `alike` | `party-00`, "},
		"image":     {30, "\n  Which program the app image ", "- Which program the app image "},
		"output":    {30, "\nOutputs that change: ", "\nOutputs that change: "},
		"component": {30, "\n  \"bob\"   \"scores\"", "| `bob` | `scores` of `alice`"},
		"user":      {30, "\n- Runs another program", "\n- Runs another program"},
		"server":    {150, "\nKuscia: ", "\nKuscia: "},
	} {
		lineOf := func(review, begin string) string {
			_, line, _ := strings.Cut(review, begin)
			line, _, _ = strings.Cut(line, "\n")
			return line
		}
		line := lineOf(text, test.line)
		for i := range test.n {
			if name := fmt.Sprintf("%s-%02d", list, i); !strings.Contains(line, name+`"`) {
				t.Errorf("the text does not say %s: %s", name, line)
			}
		}
		protocol.Says(t, "the comment about "+list, lineOf(comment, test.comment), " more, in -format text")
	}
	for _, problem := range numbered("problem", 30) {
		protocol.Says(t, "the text", text, ` "`+problem+`"`)
		protocol.Says(t, "the comment", comment, " | `"+problem+"` |")
	}
}

// TestWholeTexts: the text has each text as a whole that a row cuts.
func TestWholeTexts(t *testing.T) {
	t.Parallel()
	long := func(middle string) string { return strings.Repeat("a", 100) + middle + strings.Repeat("z", 100) }
	address := "kuscia_domain_data_grant." + long("address")
	log, file := filepath.Join(t.TempDir(), "plan.log"), filepath.Join(t.TempDir(), "plan.json")
	detail := "One sentence. " + long(" the fields a, b and c ")
	testfile.Write(t, file, planOf(t, attributes{"checks": []attributes{failing(long(" problem "))}}, change(address, created, nil, toBob)))
	testfile.Write(t, log, `{"@level":"warn","type":"diagnostic","diagnostic":{"severity":"warning","summary":"`+long(" summary ")+`","detail":"`+detail+`"}}
{"@level":"info","type":"planned_change","change":{"resource":{"addr":"`+address+`"},"action":"create"}}
{"@level":"info","type":"change_summary","changes":{"add":1,"operation":"plan"}}
`)
	stdout, _ := program(t, 0, "", "-format", "text", "-log", log, file)
	for _, whole := range []string{detail, long(" summary "), long(" problem "), address} {
		if n := strings.Count(stdout, "\n  | "+whole+"\n"); n != 1 {
			t.Errorf("%s is %d times in\n%s", whole, n, stdout)
		}
	}
}
