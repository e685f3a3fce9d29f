package definition_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// team has a map of members that their id and role identify.
var team = definition.New(definition.Schema{Attributes: []definition.Attribute{
	{Name: "members", Type: definition.ObjectMap, IdentifiedBy: []string{"id", "role"}, Attributes: []definition.Attribute{
		{Name: "id", Presence: definition.Optional},
		{Name: "role", Presence: definition.Optional},
		{Name: "refused", Presence: definition.Nullable, Refused: "It is not supported."},
	}},
}})

type tree = definition.Tree

func members(of tree) definition.Value { return team.Encode(tree{"members": of}) }

func texts(paths []path.Path) (out []string) {
	for _, at := range paths {
		out = append(out, at.String())
	}
	return out
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
