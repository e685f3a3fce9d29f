package faulttest_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// typeObjects are the objects of a resource type that its tests make.
type typeObjects struct {
	typeCase
	name   string
	bed    *typeBed
	states []protocol.State
}

// test makes two objects, and tests imports and lists with them.
func (c typeCase) test(t *testing.T, b *typeBed, name string) {
	t.Helper()
	if c.prepare != nil {
		c.prepare(t, b)
	}
	o := typeObjects{typeCase: c, name: name, bed: b}
	for _, object := range objectNames[:2] {
		o.states = append(o.states, b.apply(t, o.resource(t), c.config(t, b, object)))
	}
	o.testIDs(t)
	o.testIdentities(t)
	if o.resource(t).Schemas.ListResourceSchemas[name] != nil {
		o.testList(t)
	}
}

// resource is the resource type in a new run of the provider.
func (o typeObjects) resource(t *testing.T) *protocol.Resource {
	t.Helper()
	return o.bed.server(o.node).Resource(t, o.name)
}

// testIDs: a wrong import ID is an error before anything is sent.
func (o typeObjects) testIDs(t *testing.T) {
	t.Helper()
	r := o.bed.nowhere().Resource(t, o.name)
	for _, id := range []string{"", "/", "a/b/c/d/e/f/g", "Not A Name!\n"} {
		state, said := r.Import(t, id)
		refused(t, fmt.Sprintf("the import ID %q", id), said, "Invalid import ID")
		if !state.Value.IsNull() {
			t.Errorf("the import ID %q has the state %s", id, state.Value)
		}
	}
	if o.noIdentity == "" { // Terraform sends a null identity with an ID
		_, said := r.ImportIdentity(t, r.IdentityData(t, nil))
		refused(t, "an empty import ID with a null identity", said, "Invalid import ID")
	}
}

// testIdentities: an import by identity is the same as one by ID, and every response has
// the identity.
func (o typeObjects) testIdentities(t *testing.T) {
	t.Helper()
	r := o.resource(t)
	schema := r.IdentitySchema(t)
	if (schema == nil) != (o.noIdentity != "") {
		t.Fatalf("the identity is %v, without one because %q", schema, o.noIdentity)
	}
	if schema == nil {
		o.testWithoutIdentity(t)
		return
	}
	for _, made := range o.states {
		eventually(t, func() string {
			byID, said := r.Import(t, made.Text("id"))
			byIdentity, more := o.resource(t).ImportIdentity(t, made.Identity)
			switch {
			case strings.Contains(said+more, "ERROR"):
				return said + more
			case byID.Value.IsNull() || !byID.Value.IsFullyKnown() || !byID.Value.Equal(byIdentity.Value):
				return fmt.Sprintf("imported by ID\n%s\nby identity\n%s", byID.Value, byIdentity.Value)
			}
			return ""
		})
		identity := r.Identity(t, made.Identity)
		for from, state := range map[string]protocol.State{"without an identity": {Value: made.Value, Private: made.Private}, "with its identity": made} {
			response, read := o.resource(t).Read(t, state)
			if protocol.Failed(response.Diagnostics) || !reflect.DeepEqual(r.Identity(t, read.Identity), identity) {
				t.Errorf("a state %s is read with the identity %v: %s", from, read.Identity, protocol.Messages(response.Diagnostics))
			}
		}
	}
	o.testWrongIdentities(t, schema)
}

// testWithoutIdentity: an import by ID needs no identity.
func (o typeObjects) testWithoutIdentity(t *testing.T) {
	t.Helper()
	imported, said := o.resource(t).Import(t, o.states[0].Text("id"))
	if said != "" || imported.Value.IsNull() {
		t.Errorf("imported %s: %s", imported.Value, said)
	}
}

// testWrongIdentities: an identity with a missing or wrong value is an error that names the
// attribute, before anything is sent.
func (o typeObjects) testWrongIdentities(t *testing.T, schema *tfprotov6.ResourceIdentitySchema) {
	t.Helper()
	r := o.bed.nowhere().Resource(t, o.name)
	for _, attribute := range schema.IdentityAttributes {
		for _, value := range []any{nil, "", "Not A Name!\n"} {
			if (value == nil || value == "") && attribute.OptionalForImport {
				continue
			}
			identity := with(r.Identity(t, o.states[0].Identity), attrs{attribute.Name: value})
			state, said := r.ImportIdentity(t, r.IdentityData(t, identity))
			what := fmt.Sprintf("the identity with %s = %#v", attribute.Name, value)
			refused(t, what, strings.ReplaceAll(said, strings.ToUpper(attribute.Name), attribute.Name), attribute.Name)
			if !state.Value.IsNull() {
				t.Errorf("%s has the state %s", what, state.Value)
			}
		}
	}
}

// eventually repeats a check until it returns "": controllers change objects for a while.
func eventually(t *testing.T, check func() string) {
	t.Helper()
	for deadline := time.Now().Add(15 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		wrong := check()
		if wrong == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(wrong)
		}
	}
}
