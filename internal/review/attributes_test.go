package review_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/schemajson"
)

// schemaAttribute is an attribute without further ones below it.
type schemaAttribute struct {
	path     []string // * is a key of a map or an index of a list
	schema   *tfjson.SchemaAttribute
	byServer bool // it, or what it is in, cannot be configured
	nesting  []tfjson.SchemaNestingMode
}

// schemaAttributes are those of each resource, as the CLI prints them.
func schemaAttributes(t *testing.T) map[string][]schemaAttribute {
	t.Helper()
	schemas, err := schemajson.Read(t.Context(), provider.NewServer(provider.Build{Version: "test"}, true)(), "kuscia")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]schemaAttribute{}
	for kind, resource := range schemas.Schemas["kuscia"].ResourceSchemas {
		if len(resource.Block.NestedBlocks) > 0 {
			t.Fatalf("%s has blocks, which this test does not know", kind)
		}
		var walk func(at schemaAttribute, attributes map[string]*tfjson.SchemaAttribute)
		walk = func(at schemaAttribute, attributes map[string]*tfjson.SchemaAttribute) {
			for _, name := range slices.Sorted(maps.Keys(attributes)) {
				a := attributes[name]
				below := schemaAttribute{path: append(slices.Clip(at.path), name), schema: a, byServer: at.byServer || a.Computed && !a.Optional, nesting: at.nesting}
				nested := a.AttributeNestedType
				if nested == nil {
					all[kind] = append(all[kind], below)
					continue
				}
				if nested.NestingMode != tfjson.SchemaNestingModeSingle {
					below.path = append(slices.Clip(below.path), "*")
				}
				below.nesting = append(slices.Clip(below.nesting), nested.NestingMode)
				walk(below, nested.Attributes)
			}
		}
		walk(schemaAttribute{}, resource.Block.Attributes)
	}
	return all
}

// values are two values of the type of an attribute.
func (a schemaAttribute) values(t *testing.T) (before, after any) {
	t.Helper()
	switch typ := a.schema.AttributeType; {
	case typ == cty.String:
		return "one", "two"
	case typ == cty.Number:
		return 1, 2
	case typ == cty.Bool:
		return false, true
	case typ.IsListType():
		return []any{"one"}, []any{"two"}
	case typ.IsMapType():
		return attributes{"key": "one"}, attributes{"key": "two"}
	}
	t.Fatalf("%s has the type %s, which this test does not know", strings.Join(a.path, "."), a.schema.AttributeType.FriendlyName())
	return nil, nil
}

// in is an object with a value of the attribute.
func (a schemaAttribute) in(value any) attributes {
	nesting := slices.Clone(a.nesting)
	for i := len(a.path) - 1; i > 0; i-- {
		if a.path[i] != "*" {
			value = attributes{a.path[i]: value}
			if a.path[i-1] != "*" {
				nesting = nesting[:len(nesting)-1] // single
			}
			continue
		}
		mode := nesting[len(nesting)-1]
		nesting = nesting[:len(nesting)-1]
		if mode == tfjson.SchemaNestingModeList {
			value = []any{value}
		} else {
			value = attributes{"key": value}
		}
	}
	return attributes{a.path[0]: value}
}

// TestCategoriesOfAttributes: a change of any attribute of any resource has the categories of the
// table, which testdata/categories.txt lists, and each attribute is in the table.
func TestCategoriesOfAttributes(t *testing.T) {
	t.Parallel()
	var lines []string
	for kind, all := range schemaAttributes(t) {
		for _, a := range all {
			name := kind + "." + strings.Join(a.path, ".")
			table, ok := category.Of(kind, a.path, false)
			if !ok {
				t.Errorf("%s has no category", name)
			}
			before, after := a.values(t)
			report := build(t, planOf(t, nil, change(kind+".x", updated, a.in(before), a.in(after))))
			var found []category.Category
			for _, f := range report.Findings {
				found = category.Add(found, f.Categories...)
			}
			category.Sort(found)
			lines = append(lines, fmt.Sprintf("%s: %s", name, category.Join(found)))
			if a.schema.WriteOnly { // is in no plan
				continue
			}
			for _, c := range table {
				if !slices.Contains(found, c) {
					t.Errorf("%s: the gate finds %v, and the table has %v", name, found, table)
				}
			}
			if !report.Changes {
				t.Errorf("%s: nothing changes", name)
			}
		}
	}
	for kind, names := range removable(t) {
		for _, name := range names {
			found, ok := category.OfRemoval(kind, name)
			if !ok {
				t.Errorf("%s: the field %s has no category", kind, name)
			}
			lines = append(lines, fmt.Sprintf("%s.allow_removal_of[%s]: %s", kind, name, category.Join(found)))
		}
	}
	slices.Sort(lines)
	acctest.Golden(t, filepath.Join("testdata", "categories.txt"), strings.Join(lines, "\n")+"\n")
}

// removable are the fields that a change of an object of each type may remove.
func removable(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for kind, found := range schemaAttributes(t) {
		for _, a := range found {
			if a.path[0] != "allow_removal_of" {
				continue
			}
			fields, _, _ := strings.Cut(a.schema.Description, " With `kubernetes`")
			for i, text := range strings.Split(fields, "`") {
				if i%2 == 1 {
					all[kind] = append(all[kind], text)
				}
			}
		}
	}
	return all
}

// refers are objects that stay and refer to one of a type that identity has made, with its names.
var refers = map[string]attributes{
	"kuscia_app_image":          change("kuscia_serving.user", same, attributes{"serving_id": "s", "parties": attributes{"alice": attributes{"app_image": "name"}}}, attributes{"serving_id": "s", "parties": attributes{"alice": attributes{"app_image": "name"}}}),
	"kuscia_config":             change("kuscia_domain_data_source.user", same, attributes{"info_key": "key"}, attributes{"info_key": "key"}),
	"kuscia_domain":             change("kuscia_domain_route.user", same, attributes{"source": "domain_id"}, attributes{"source": "domain_id"}),
	"kuscia_domain_data":        change("kuscia_domain_data_grant.user", same, identity("kuscia_domain_data"), identity("kuscia_domain_data")),
	"kuscia_domain_data_source": change("kuscia_domain_data.user", same, identity("kuscia_domain_data_source"), identity("kuscia_domain_data_source")),
}

// identity is an object with values of what identifies it, which are the names of the attributes.
func identity(kind string) attributes {
	object := attributes{}
	for _, name := range plan.Identity(kind) {
		object[name] = name
	}
	return object
}

// TestCategoriesOfOtherAddresses: an object that is deleted and created again under another address has
// the categories of its attributes that change, and so has one that is created while others refer to it.
func TestCategoriesOfOtherAddresses(t *testing.T) {
	t.Parallel()
	for kind, all := range schemaAttributes(t) {
		for _, a := range all {
			if a.schema.WriteOnly || len(identity(kind)) == 0 || slices.Contains(plan.Identity(kind), a.path[0]) {
				continue
			}
			name := kind + "." + strings.Join(a.path, ".")
			before, after := a.values(t)
			object := func(value any) attributes {
				object := identity(kind)
				maps.Copy(object, a.in(value))
				return object
			}
			table, _ := category.Of(kind, a.path, false)
			want := slices.DeleteFunc(slices.Clone(table), func(c category.Category) bool { return c == category.Restarted })
			check := func(what string, want []category.Category, changes ...attributes) {
				t.Helper()
				var found []category.Category
				for _, f := range build(t, planOf(t, nil, changes...)).Findings {
					found = category.Add(found, f.Categories...)
				}
				for _, c := range want {
					if !slices.Contains(found, c) {
						t.Errorf("%s %s: the gate finds %v, want %v", name, what, found, want)
					}
				}
			}
			check("under another address", append(slices.Clone(want), category.Destroy), change(kind+".x", deleted, object(before), nil), change(kind+".y", created, nil, object(after)))
			if user, ok := refers[kind]; ok {
				check("of a new object", want, user, change(kind+".y", created, nil, object(after)))
				check("of a deleted object", []category.Category{category.Destroy}, user, change(kind+".x", deleted, object(before), nil))
			}
		}
	}
}

// TestIdentities: the review identifies objects as the schemas do, but where the server makes the id.
func TestIdentities(t *testing.T) {
	t.Parallel()
	schemas, err := schemajson.Read(t.Context(), provider.NewServer(provider.Build{Version: "test"}, true)(), "kuscia")
	if err != nil {
		t.Fatal(err)
	}
	for kind, schema := range schemas.Schemas["kuscia"].ResourceIdentitySchemas {
		want := slices.Sorted(maps.Keys(schema.Attributes))
		switch kind {
		case "kuscia_domain_data_grant":
			want = []string{"domain_id", "domaindata_id", "grant_domain"}
		case "kuscia_edge_deployment":
			want = []string{"name"}
		}
		if found := slices.Sorted(slices.Values(plan.Identity(kind))); !slices.Equal(found, want) {
			t.Errorf("%s is identified by %v, want %v", kind, found, want)
		}
	}
}

// TestUnknownAttributes: an attribute of a configuration that is known after apply is unknown to the
// gate, and has the categories of a change; one that only the server sets is not unknown.
func TestUnknownAttributes(t *testing.T) {
	t.Parallel()
	for kind, all := range schemaAttributes(t) {
		for _, a := range all {
			if a.schema.WriteOnly {
				continue
			}
			name := kind + "." + strings.Join(a.path, ".")
			before, _ := a.values(t)
			report := build(t, planOf(t, nil, change(kind+".x", updated, a.in(before), a.in(nil), unknown(a.in(true)))))
			var found []category.Category
			for _, f := range report.Findings {
				found = category.Add(found, f.Categories...)
			}
			// Its image is not known either where that of the app image is not.
			image := name == "kuscia_serving.parties.*.image"
			if is, want := slices.Contains(found, category.Unknown), !a.byServer || image; is != want {
				t.Errorf("%s: unknown is %t, want %t", name, is, want)
			}
			table, _ := category.Of(kind, a.path, true)
			for _, c := range table {
				if !slices.Contains(found, c) {
					t.Errorf("%s: the gate finds %v, and the table has %v", name, found, table)
				}
			}
		}
	}
}

// TestServerDefaults: the table has what the definitions of the resources say.
func TestServerDefaults(t *testing.T) {
	t.Parallel()
	found := map[string][]string{}
	for kind, all := range provider.Attributes(t.Context()) {
		for _, a := range all {
			if a.Presence == definition.ServerDefault {
				found[kind] = append(found[kind], a.Name)
			}
		}
		slices.Sort(found[kind])
	}
	maps.DeleteFunc(found, func(_ string, names []string) bool { return len(names) == 0 })
	if !maps.EqualFunc(found, category.ServerDefaults, slices.Equal) {
		t.Errorf("the table has %v, and the definitions have %v", category.ServerDefaults, found)
	}
}
