package lifetest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestWriteOnly: a write-only value that is null beside the version of the state is that of the
// server, whether ignore_changes leaves it out or the configuration. Every write-only attribute of
// the schemas is in a variant, and every type that has one in another change.
func TestWriteOnly(t *testing.T) {
	t.Parallel()
	covered := map[string]map[string]bool{}
	for name, l := range lives {
		typeName := typeOf(name)
		attributes := schemas.ResourceSchemas[typeName].Block.Attributes
		for what, v := range l.variantsOf("") {
			paths := writeOnlyPaths(attributes, nil, v.full)
			if len(paths) == 0 {
				continue
			}
			if covered[typeName] == nil {
				covered[typeName] = map[string]bool{}
			}
			for _, at := range paths {
				covered[typeName][withoutPlaces(leaf{path: at}.String())] = true
			}
			t.Run(name+", "+what, func(t *testing.T) {
				t.Parallel()
				if l.besides == nil {
					t.Fatal("the type has a write-only attribute and no other change, see life.besides")
				}
				(&hiding{newObject(t, typeName, l), v, paths}).test()
			})
		}
	}
	for typeName, schema := range schemas.ResourceSchemas {
		for _, path := range writeOnlyNames("", schema.Block.Attributes) {
			if !covered[typeName][path] {
				t.Errorf("%s: no variant has the write-only %s", typeName, path)
			}
		}
	}
}

// hiding is an object with write-only values at paths.
type hiding struct {
	*object

	variant variant
	paths   [][]any
}

func (h *hiding) test() {
	full, theirs := h.full(h.variant), h.changed(h.variant)
	state := h.settle(h.create(full))
	if other, said := h.change(theirs, h.elsewhere(state)); strings.Contains(said, "ERROR") || other.Value.IsNull() {
		h.t.Fatalf("another user cannot change it: %s", said)
	}
	state = h.read("another value", state)
	h.keepsNull(full, state)
	h.refusesNull(full, state)
	state = h.changesBesides("in a life", full, h.without(full, h.paths), state)
	state = h.apply("back", full, state)
	imported := h.elsewhere(state)
	h.empty("all, imported", ignoringAll(h.attributes(), imported.Value), imported)
	h.says("an import, whose state has no version", h.without(full, h.paths), imported, h.paths)
	unversioned := h.without(full, slices.Concat(h.paths, h.versions()))
	asImported := maps.Clone(unversioned)
	delete(asImported, "allow_removal_of") // which only a configuration has
	h.empty("text and version, imported", h.value(asImported), imported)
	h.changesBesides("imported", full, unversioned, imported)
	h.destroy(state)
}

// keepsNull: the plans with each of the values ignored, all of them, and everything are empty.
func (h *hiding) keepsNull(full attrs, state protocol.State) {
	h.t.Helper()
	for _, at := range h.paths {
		h.empty(fmt.Sprint(at), h.value(h.without(full, [][]any{at})), state)
	}
	h.empty("every text", h.value(h.without(full, h.paths)), state)
	h.empty("all", ignoringAll(h.attributes(), state.Value), state)
}

// refusesNull: null beside a version that the state does not have is refused, also for a new
// object and in a replacement.
func (h *hiding) refusesNull(full attrs, state protocol.State) {
	h.t.Helper()
	none := h.without(full, h.paths)
	h.says("a new object", none, h.none(), h.paths)
	response, _ := h.run().Plan(h.t, h.value(none), state)
	h.says("a replacement", none, protocol.State{Value: h.none().Value, Private: response.PlannedPrivate}, h.paths)
	for i, at := range h.versions() {
		other, _ := put(none, at, 3).(attrs)
		h.says("another version", other, state, h.paths[i:i+1])
	}
}

// says: the plan is refused, at the paths.
func (h *hiding) says(what string, config attrs, prior protocol.State, paths [][]any) {
	h.t.Helper()
	r := h.run()
	h.fine(what+": validation", r.Validate(h.t, h.value(config)).Diagnostics)
	response, _ := r.Plan(h.t, h.value(config), prior)
	said := protocol.Messages(response.Diagnostics)
	if strings.Count(said, "ERROR") != len(paths) {
		h.t.Errorf("%s says %s", what, said)
	}
	for _, at := range paths {
		protocol.Says(h.t, what, said, "Missing value", fmt.Sprintf(`(%q)`, at[len(at)-1]), "ignore_changes")
	}
}

// empty: the plan is empty, with and without the shortcuts, and nothing is sent.
func (h *hiding) empty(what string, config tftypes.Value, state protocol.State) {
	h.t.Helper()
	before := h.s.writes()
	for _, deferral := range []bool{false, true} { // shortcuts are for clients without deferral
		r := h.run()
		response, err := r.PlanResourceChange(r.Context, &tfprotov6.PlanResourceChangeRequest{
			TypeName: r.Type, Config: protocol.Encode(config), PriorState: protocol.Encode(state.Value), PriorPrivate: state.Private, PriorIdentity: state.Identity,
			ProposedNewState:   protocol.Encode(r.Proposed(state.Value, config)),
			ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: deferral},
		})
		if err != nil {
			h.t.Fatal(err)
		}
		h.fine(what+": plan", response.Diagnostics)
		if planned := protocol.Decode(r.Kind, response.PlannedState); !planned.Equal(state.Value) || len(response.RequiresReplace) > 0 {
			h.t.Errorf("%s: the plan changes %v, replaces %v", what, differing("", h.attributes(), state.Value, planned), response.RequiresReplace)
		}
	}
	h.nothingSent(what, before)
}

// changesBesides changes another attribute. A CLI plans with the configuration without what is
// ignored, and applies it as it is written; a replacement is planned as it is written, too. The
// server keeps its values in an update, and the next plan is empty.
func (h *hiding) changesBesides(what string, full, ignored attrs, state protocol.State) protocol.State {
	h.t.Helper()
	more := h.besides(h.name)
	written, ignored := merged(full, more), merged(ignored, more)
	r := h.run()
	response, planned := h.planIn(r, what+": another attribute", ignored, state)
	if r.Replaces(response, state) {
		replacement, _ := r.PlanReplacement(h.t, h.value(written), response)
		h.fine(what+": replacement", replacement.Diagnostics)
		return state
	}
	if planned.Equal(state.Value) {
		h.t.Fatalf("%s: another attribute changes nothing", what)
	}
	made := r.Change(h.t, h.value(written), state, response)
	h.fine(what+": apply of another attribute", made.Diagnostics)
	state = h.read(what+": applied", protocol.State{Value: protocol.Decode(r.Kind, made.NewState), Private: made.Private, Identity: made.NewIdentity})
	h.empty(what+": after another attribute", h.value(ignored), state)
	stored := h.elsewhere(state)
	for _, at := range h.paths {
		if want, has := get(h.changed(h.variant), at), get(protocol.Plain(stored.Value), inClear(at)); has != want {
			h.t.Errorf("%s: after the update of another attribute the server has %q at %v, want %q", what, has, at, want)
		}
	}
	return state
}

// without is a configuration without what is at paths.
func (h *hiding) without(config attrs, paths [][]any) attrs {
	for _, at := range paths {
		config, _ = put(config, at, nil).(attrs)
	}
	return config
}

// versions are the paths of the versions.
func (h *hiding) versions() (versions [][]any) {
	for _, at := range h.paths {
		versions = append(versions, named(at, func(name string) string { return name + "_version" }))
	}
	return versions
}

// inClear is the path of the text that an import reads.
func inClear(at []any) []any {
	return named(at, func(name string) string { return strings.TrimSuffix(name, "_wo") })
}

func named(at []any, name func(string) string) []any {
	out := slices.Clone(at)
	last, _ := out[len(out)-1].(string)
	out[len(out)-1] = name(last)
	return out
}

// get is the value at a path, nil if there is none.
func get(value any, at []any) any {
	for _, step := range at {
		switch step := step.(type) {
		case string:
			object, _ := value.(attrs)
			value = object[step]
		case int:
			list, _ := value.([]any)
			if step >= len(list) {
				return nil
			}
			value = list[step]
		}
	}
	return value
}

// writeOnlyNames are the paths of the write-only attributes of a schema, without places.
func writeOnlyNames(at string, attributes []*tfprotov6.SchemaAttribute) (paths []string) {
	for _, a := range attributes {
		path := strings.TrimPrefix(at+"."+a.Name, ".")
		if a.WriteOnly {
			paths = append(paths, path)
		}
		if a.NestedType != nil {
			paths = append(paths, writeOnlyNames(path, a.NestedType.Attributes)...)
		}
	}
	return paths
}

// writeOnlyPaths are the paths of the write-only attributes that a configuration sets.
func writeOnlyPaths(attributes []*tfprotov6.SchemaAttribute, at []any, config attrs) (paths [][]any) {
	for _, a := range attributes {
		value, path := config[a.Name], append(slices.Clone(at), a.Name)
		switch {
		case value == nil:
		case a.WriteOnly:
			paths = append(paths, path)
		case a.NestedType == nil:
		case a.NestedType.Nesting == tfprotov6.SchemaObjectNestingModeList:
			for i, element := range value.([]any) {
				paths = append(paths, writeOnlyPaths(a.NestedType.Attributes, append(slices.Clone(path), i), element.(attrs))...)
			}
		case a.NestedType.Nesting == tfprotov6.SchemaObjectNestingModeMap:
			for key, element := range value.(attrs) {
				paths = append(paths, writeOnlyPaths(a.NestedType.Attributes, append(slices.Clone(path), key), element.(attrs))...)
			}
		default:
			paths = append(paths, writeOnlyPaths(a.NestedType.Attributes, path, value.(attrs))...)
		}
	}
	return paths
}

// ignoringAll is the configuration that a CLI plans with ignore_changes = all: the state, without
// what is computed only.
func ignoringAll(attributes []*tfprotov6.SchemaAttribute, state tftypes.Value) tftypes.Value {
	if state.IsNull() {
		return state
	}
	values := maps.Clone(protocol.Fields(state))
	for _, a := range attributes {
		switch value := values[a.Name]; {
		case !isSet(a):
			values[a.Name] = tftypes.NewValue(value.Type(), nil)
		case a.NestedType != nil && !value.IsNull():
			values[a.Name] = eachObject(a.NestedType, value, ignoringAll)
		}
	}
	return tftypes.NewValue(state.Type(), values)
}
