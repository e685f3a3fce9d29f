package definition_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// team has a map of members that their id and role identify, each with a map of sizes
// by key.
var team = definition.New(definition.Schema{Attributes: []definition.Attribute{
	{Name: "members", Type: definition.ObjectMap, IdentifiedBy: []string{"id", "role"}, Attributes: []definition.Attribute{
		{Name: "id", Presence: definition.Optional},
		{Name: "role", Presence: definition.Optional},
		{Name: "count", Type: definition.Number, Presence: definition.Nullable},
		{Name: "refused", Presence: definition.Nullable, Refused: "It is not supported."},
		{Name: "sizes", Type: definition.ObjectMap, Presence: definition.Optional, Attributes: []definition.Attribute{
			{Name: "cpu", Presence: definition.Optional, SemanticEquality: definition.Quantity},
		}},
	}},
}})

type tree = definition.Tree

func members(of tree) definition.Value { return team.Encode(tree{"members": of}) }

func sized(cpu string) tree { return tree{"main": tree{"cpu": cpu}} }

func texts(paths []path.Path) (out []string) {
	for _, at := range paths {
		out = append(out, at.String())
	}
	return out
}

// TestObjectMapPlans covers which differences a plan has, and which of these are sent.
func TestObjectMapPlans(t *testing.T) {
	t.Parallel()
	state := tree{"alice": tree{"id": "alice", "role": "", "sizes": sized("0.1")}, "h": tree{"id": "alice", "role": "host", "sizes": tree{}}}
	for name, test := range map[string]struct {
		config                tree
		differences, sentAlso []string
	}{
		"no change":                 {tree{"alice": tree{"sizes": sized("100m")}, "h": tree{"id": "alice", "role": "host"}}, nil, nil},
		"attribute":                 {tree{"alice": tree{"sizes": sized("0.1")}, "h": tree{"id": "alice", "role": "host", "count": 2}}, nil, []string{`members["h"].count`}},
		"nested attribute":          {tree{"alice": tree{"sizes": sized("0.2")}, "h": tree{"id": "alice", "role": "host"}}, nil, []string{`members["alice"].sizes["main"].cpu`}},
		"renamed":                   {tree{"alice": tree{"sizes": sized("0.1")}, "new": tree{"id": "alice", "role": "host"}}, []string{`members["new"]`, `members["h"]`}, nil},
		"swapped":                   {tree{"h": tree{"id": "alice", "sizes": sized("100m")}, "alice": tree{"role": "host"}}, []string{`members["alice"].role`, `members["alice"].sizes["main"]`, `members["h"].role`, `members["h"].sizes["main"]`}, nil},
		"renamed and changed":       {tree{"a": tree{"id": "alice", "sizes": sized("0.2")}, "h": tree{"id": "alice", "role": "host"}}, []string{`members["a"]`, `members["alice"]`}, []string{`members["a"].sizes["main"].cpu`}},
		"removed":                   {tree{"alice": tree{"sizes": sized("0.1")}}, nil, []string{`members["h"]`}},
		"added":                     {tree{"alice": tree{"sizes": sized("0.1")}, "h": tree{"id": "alice", "role": "host"}, "bob": tree{}}, nil, []string{`members["bob"]`}},
		"another identity":          {tree{"alice": tree{"sizes": sized("0.1")}, "h": tree{"id": "alice", "role": "guest"}}, nil, []string{`members["h"].role`}},
		"unknown identity":          {tree{"alice": tree{"sizes": sized("0.1")}, "h": tree{"id": definition.Unknown, "role": "host"}}, nil, []string{`members["h"].id`}},
		"unknown element":           {tree{"alice": tree{"sizes": sized("0.1")}, "h": definition.Unknown}, nil, []string{`members["h"]`}},
		"without its own container": {tree{"alice": tree{}, "h": tree{"id": "alice", "role": "host"}}, nil, []string{`members["alice"].sizes["main"]`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := team.Plan(members(test.config), team.Refreshed(members(state), team.Null()), definition.PlanOptions{})
			differences := test.differences
			if differences == nil {
				differences = test.sentAlso
			}
			if got := texts(plan.Differences); !slices.Equal(got, differences) {
				t.Errorf("differences %q, want %q", got, differences)
			}
			if got := texts(plan.Sent); !slices.Equal(got, test.sentAlso) {
				t.Errorf("sent %q, want %q", got, test.sentAlso)
			}
			if plan.Unchanged != (name == "no change") {
				t.Errorf("unchanged: %t", plan.Unchanged)
			}
		})
	}
}

// TestObjectMapKeys: the key is the default of what identifies an object, also as a
// path of a problem; a response is compared by identity, each object once.
func TestObjectMapKeys(t *testing.T) {
	t.Parallel()
	config := members(tree{"alice": tree{"refused": "x"}, "h": tree{"id": "alice", "role": "host"}})
	complete := team.Complete(config)
	root, found := definition.Read(team.Sendable(complete), config)
	var got []string
	for key, member := range root.ObjectMap("members") {
		got = append(got, fmt.Sprintf("%s=%s/%s %t", key, member.String("id"), member.String("role"), member.Configured("id")))
	}
	if want := []string{"alice=alice/ false", "h=alice/host true"}; !slices.Equal(got, want) || len(found.All()) > 0 {
		t.Errorf("read as %q, want %q; unconvertible: %v", got, want, found.All())
	}
	if problems := team.Problems(config); len(problems) != 1 || problems[0].Path.String() != `members["alice"].refused` {
		t.Errorf("problems: %v", problems)
	}
	alice := tree{"id": "alice"}
	for name, test := range map[string]struct {
		a, b tree
		want []string
	}{
		"another key": {tree{"a": alice}, tree{"alice": alice}, nil},
		"twice":       {tree{"a": alice}, tree{"a": alice, "b": alice}, []string{`members["b"]`}},
		"once":        {tree{"a": alice, "b": alice}, tree{"c": alice}, []string{`members["b"]`}},
		"null":        {tree{"a": alice}, tree{"a": nil}, []string{`members["a"].id`}},
	} {
		if got := texts(team.Differences(members(test.a), members(test.b))); !slices.Equal(got, test.want) {
			t.Errorf("%s: differences %q, want %q", name, got, test.want)
		}
	}
}

// TestObjectMapUnknownPlans: plans with unknown values are legal, and their known values
// do not change.
func TestObjectMapUnknownPlans(t *testing.T) {
	t.Parallel()
	definitiontest.UnknownPlans{
		Generator: func(unknowns bool) definitiontest.Generator {
			return definitiontest.Generator{Definition: team, Unknowns: unknowns, Texts: map[string][]string{"id": {"a", "b"}, "cpu": {"0.1", "100m", "1"}}}
		},
		Issues: func(definition.Value) []check.Issue { return nil },
		Late: func(t *rapid.T, planned definition.Value) {
			if again := team.Plan(planned, planned, definition.PlanOptions{}); !again.Unchanged {
				t.Fatalf("the plan of a plan changes %v", again.Differences)
			}
			if filled := team.Filled(planned, planned); !filled.Equal(planned) {
				t.Fatalf("filled as %s", filled)
			}
		},
	}.Check(t)
}
