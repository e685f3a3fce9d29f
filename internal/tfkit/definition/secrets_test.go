package definition_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// secretsEverywhere has a write-only string at the root, in an object, in lists with and without
// names, and in a map with a list.
func secretsEverywhere() *definition.Definition {
	secret := definition.Attribute{Name: "s", Presence: definition.Nullable, WriteOnly: true}
	name := definition.Attribute{Name: "name"}
	named := definition.Attribute{Name: "named", Type: definition.ObjectList, Presence: definition.Nullable, Attributes: []definition.Attribute{name, secret}}
	return definition.New(definition.Schema{Attributes: []definition.Attribute{
		secret, named,
		{Name: "object", Type: definition.Object, Presence: definition.Nullable, Attributes: []definition.Attribute{secret}},
		{Name: "list", Type: definition.ObjectList, Presence: definition.Nullable, Attributes: []definition.Attribute{secret}},
		{Name: "map", Type: definition.ObjectMap, Presence: definition.Nullable, Attributes: []definition.Attribute{secret, named}},
	}})
}

// TestKeepSecrets: a write-only string that is null beside the version of the state is that of the
// server, wherever it is. An element of a list is that of its name, wherever it has moved to.
func TestKeepSecrets(t *testing.T) {
	t.Parallel()
	d := secretsEverywhere()
	object := func(n int, names ...string) tree {
		elements := definition.Each(names, func(name string) tree { return tree{"name": name, "s_wo_version": n} })
		return tree{
			"s_wo_version": n, "named": elements, "object": tree{"s_wo_version": n}, "list": []any{tree{"s_wo_version": n}},
			"map": tree{"k": tree{"s_wo_version": n, "named": elements}},
		}
	}
	response := d.Encode(tree{
		"s": "1", "object": tree{"s": "2"}, "list": []any{tree{"s": "3"}}, "named": []any{tree{"name": "a", "s": "4"}, tree{"name": "b", "s": "5"}},
		"map": tree{"k": tree{"s": "6", "named": []any{tree{"name": "a", "s": "7"}, tree{"name": "b", "s": "8"}}}},
	})
	prior := d.Encode(object(1, "a", "b"))
	for name, test := range map[string]struct {
		config          tree
		missing, unsent int
		sent            []string
	}{
		"the same":        {object(1, "a", "b"), 0, 0, []string{"1", "2", "3", "4", "5", "6", "7", "8"}},
		"moved":           {object(1, "b", "a"), 0, 0, []string{"1", "2", "3", "5", "4", "6", "8", "7"}},
		"a new element":   {object(1, "a", "c"), 2, 2, []string{"1", "2", "3", "4", "", "6", "7", ""}},
		"another version": {object(2, "a", "b"), 8, 8, []string{"", "", "", "", "", "", "", ""}},
	} {
		config := d.Encode(test.config)
		kept, missing := d.KeepSecrets(config, prior)
		planned := d.Plan(kept, prior, definition.PlanOptions{}).Planned
		if unknown := d.UnsentSecrets(kept, kept, d.Null(), d.Null()); len(unknown) > 0 {
			t.Errorf("%s: %v are not unknown", name, unknown)
		}
		if len(missing) != test.missing {
			t.Errorf("%s: %v are missing", name, missing)
		}
		if unsent := d.UnsentSecrets(planned, config, prior, response); len(unsent) != test.unsent || test.unsent == test.missing && fmt.Sprint(unsent) != fmt.Sprint(missing) {
			t.Errorf("%s: %v cannot be sent", name, unsent)
		}
		if sent := textsOf(d.WithSecrets(planned, config, prior, response)); !slices.Equal(sent, test.sent) {
			t.Errorf("%s: %q is sent, want %q", name, sent, test.sent)
		}
		if problems := d.Problems(config); len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
	}
	if _, missing := d.KeepSecrets(prior, d.Null()); len(missing) != 8 || !missing[7].Equal(path.Root("s_wo")) {
		t.Errorf("a new object lacks %v", missing)
	}
}

// textsOf are the secrets of secretsEverywhere.
func textsOf(value definition.Value) []string {
	fields := definition.FieldsOf
	inList := func(list definition.Value) (all []string) {
		for _, element := range definition.ElementsOf(list) {
			all = append(all, definition.StringAt(element, "s"))
		}
		return all
	}
	root := fields(value)
	inMap := fields(root["map"])["k"]
	return slices.Concat([]string{definition.StringAt(value, "s"), definition.StringAt(root["object"], "s")}, inList(root["list"]), inList(root["named"]),
		[]string{definition.StringAt(inMap, "s")}, inList(fields(inMap)["named"]))
}

// TestKeepSecrets_unknown: with a name or a version that is not known yet, nothing is missing before
// the apply. A value beside the version is a mistake.
func TestKeepSecrets_unknown(t *testing.T) {
	t.Parallel()
	d := secretsEverywhere()
	prior := d.Encode(tree{"named": []any{tree{"name": "a", "s_wo_version": 1}}})
	for name, config := range map[string]definition.Value{
		"name":    d.Encode(tree{"named": []any{tree{"name": definition.Unknown, "s_wo_version": 2}}}),
		"version": d.Encode(tree{"s_wo_version": definition.Unknown}),
	} {
		if _, missing := d.KeepSecrets(config, prior); len(missing) > 0 {
			t.Errorf("unknown %s: %v are missing", name, missing)
		}
	}
	if problems := d.Problems(d.Encode(tree{"s": "x", "s_wo_version": 1})); len(problems) != 1 || problems[0].Summary != "Conflicting attributes" {
		t.Errorf("a value and a version: %v", problems)
	}
}
