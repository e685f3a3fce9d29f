package faulttest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
)

// TestRandomImports imports random objects of a master and a node that other clients have changed:
// they have fields that the KusciaAPI does not carry, and other spellings. The plan after the import
// sends nothing, and after it the plan is empty. Then another configuration is applied, which loses what
// protects an object only if it allows that, and all are destroyed, as in TestRandomBlocks.
func TestRandomImports(t *testing.T) {
	t.Parallel()
	someOf(t, short.Count(4, 40), func(t *rapid.T) {
		first := &blocks{federation: newFederation(t), t: t}
		defer first.close()
		first.terraform.next = func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "next") }
		first.terraform.applying = func(r *resource) { first.missing[r.address] = first.missingIn(r.address) }
		providers := map[string]string{}
		desired := drawFederation(t, providers)
		first.change(desired)

		imports := *first.federation
		imports.terraform = newTerraform(first.terraform.providerBlock)
		b := &blocks{federation: &imports, t: t, log: first.log, protections: map[string]func() (there, has bool){}}
		b.terraform.aliases, b.terraform.next = first.terraform.aliases, first.terraform.next
		b.terraform.applying = func(r *resource) { b.missing[r.address] = b.missingIn(r.address) }
		b.desired = desired.existing(first.terraform.state)
		b.editedByOthers(first.terraform.state)
		if o := b.terraform.importAll(first.terraform.state); !o.ok() {
			b.fatal("the import says %s", o.text())
		}
		b.importChangesNothing()
		b.change(drawFederation(t, providers).allowing())
		b.destroy()
	})
}

// importAll imports the objects of another state into this one.
func (t *terraform) importAll(from map[string]*object) *outcome {
	o := &outcome{}
	w := t.begin(o)
	for address, there := range from {
		imported, said := w.calls(there.provider, there.typeName).Import(panics{}, there.Text("id"))
		if imported.Value.IsNull() || strings.Contains(said, "ERROR") {
			o.errors = append(o.errors, problem{address, "import", said})
			continue
		}
		t.state[address] = &object{State: imported, typeName: there.typeName, provider: there.provider, after: there.after}
	}
	return o
}

// existing is the configuration of the objects in a state.
func (d *drawing) existing(state map[string]*object) *drawing {
	of := *d
	of.resources = slices.DeleteFunc(slices.Clone(d.resources), func(r resource) bool { return state[r.address] == nil })
	return &of
}

// importChangesNothing checks that the plan after the import sends nothing, and leaves nothing to do.
func (b *blocks) importChangesNothing() {
	b.t.Helper()
	o, changes, _ := b.plan(nil)
	for address, action := range o.actions {
		if action != actionNone && action != actionUpdate {
			b.fatal("the plan after the import is to %s %s\n%s", action, address, o.text())
		}
	}
	imported := maps.Clone(b.terraform.state)
	b.master.ResetRequests()
	b.node.ResetRequests()
	if b.apply(o, changes); len(b.writes()) > 0 {
		for address, c := range changes {
			if c.action == actionUpdate {
				b.log = append(b.log, fmt.Sprintf("imported %s\nplanned %s", imported[address].Value, c.planned))
			}
		}
		b.fatal("the apply after the import sends %v", b.writes())
	}
	if next, _, ok := b.plan(nil); !ok || next.changes() != "" {
		b.fatal("the second plan after the import is to %s\n%s", next.changes(), next.text())
	}
}

// writes are the requests that change something.
func (f *federation) writes() (found []string) {
	for _, server := range []*sandbox.Sandbox{f.master, f.node} {
		for _, request := range server.Requests() {
			if op := operationOf(request); strings.HasSuffix(op, "/create") || strings.HasSuffix(op, "/update") || strings.HasSuffix(op, "/delete") {
				found = append(found, op)
			}
		}
	}
	return found
}

// editedByOthers sets fields of objects that the KusciaAPI does not carry, or spells values as other
// clients do.
func (b *blocks) editedByOthers(state map[string]*object) {
	b.t.Helper()
	for _, address := range slices.Sorted(maps.Keys(state)) {
		o := state[address]
		if rapid.IntRange(0, 3).Draw(b.t, "untouched "+address) == 0 {
			continue
		}
		protocol.NoError(b.t, b.edit(address, o, b.desired.configs[address]))
	}
}

// edit changes an object with a configuration as another client does.
func (b *blocks) edit(address string, o *object, config attrs) error {
	alice := strings.TrimPrefix(o.Text("id"), "alice/")
	chosen := func(label string) bool { return rapid.Bool().Draw(b.t, label) }
	switch id := o.Text("id"); o.typeName {
	case domainType:
		return sandbox.Edit(b.master, "", id, func(d *objects.Domain) {
			d.Spec.ResourceQuota = map[string]any{"podMaxCount": float64(3)}
			if chosen("protocols") {
				d.Spec.InterConnProtocols = []string{"bfia"}
			}
			if config["auth_center"] == nil {
				d.Spec.AuthCenter = nil
			}
		})
	case routeType:
		name := strings.ReplaceAll(id, "/", "-")
		b.protections[address] = protection(b, "", name, func(r *objects.ClusterDomainRoute) bool { return len(r.Spec.SourceWhiteIPList) > 0 })
		return sandbox.Edit(b.master, "", name, func(r *objects.ClusterDomainRoute) {
			r.Spec.SourceWhiteIPList = []string{"10.0.0.0/8"}
			if chosen("headers") {
				r.Spec.RequestHeadersToAdd = map[string]string{"x-team": "a"}
			}
			if chosen("protocol") {
				r.Spec.InterConnProtocol = "bfia"
			}
		})
	case dataType:
		return sandbox.Edit(b.master, "alice", alice, func(d *objects.DomainData) {
			d.Spec.Vendor = "secretflow"
			config["vendor"] = "secretflow" // without it the plan is to set the default
			d.Spec.FileFormat = strings.ToLower(d.Spec.FileFormat)
			for name, text := range d.Spec.Attributes {
				d.Spec.Attributes[name] = withBlanks(text)
			}
		})
	case grantType:
		b.protections[address] = protection(b, "alice", alice, func(g *objects.DomainDataGrant) bool { return g.Spec.Signature != "" })
		return sandbox.Edit(b.master, "alice", alice, func(g *objects.DomainDataGrant) {
			g.Spec.Signature, g.Spec.Description = "c2ln", map[string]string{"why": "a test"}
			if g.Spec.Limit != nil {
				g.Spec.Limit.Initiator, g.Spec.Limit.GrantMode = "bob", []string{"normal"}
			}
		})
	case sourceType:
		return sandbox.Edit(b.master, "alice", alice, func(s *objects.DomainDataSource) { s.Spec.URI = "/elsewhere" })
	case imageType:
		b.protections[address] = protection(b, "", id, func(i *objects.AppImage) bool {
			return i.Spec.DeployTemplates[0].Spec.Containers[0].SecurityContext != nil
		})
		return sandbox.Edit(b.master, "", id, func(i *objects.AppImage) {
			container := &i.Spec.DeployTemplates[0].Spec.Containers[0]
			container.SecurityContext = map[string]any{"privileged": true}
			if chosen("probe") {
				container.MetricProbe = &objects.MetricProbe{Path: "/metrics", Port: "80"}
			}
			if chosen("policy") {
				i.Spec.DeployTemplates[0].NetworkPolicy = map[string]any{"ingresses": []any{}}
			}
		})
	case configType:
		server := b.of(o.provider)
		if value, _ := server.ConfigValue(id); json.Valid([]byte(value)) {
			server.PutConfigValue(id, withBlanks(value))
		}
	}
	return nil
}

// protection looks at the field of an object.
func protection[T any](b *blocks, namespace, name string, has func(*T) bool) func() (there, has bool) {
	return func() (there, protected bool) {
		err := sandbox.Edit(b.master, namespace, name, func(object *T) { protected = has(object) })
		return err == nil, protected
	}
}

// removable are the fields that each type can be allowed to lose.
var removable = map[string][]any{
	routeType: {"sourceWhiteIPList", "interConnProtocol", "requestHeadersToAdd"}, grantType: {"signature", "limit.initiator", "limit.grantMode", "description"},
	imageType: {"deployTemplates.networkPolicy", "deployTemplates.spec.containers.securityContext", "deployTemplates.spec.containers.metricProbe"},
}

// allowing is the configuration where some objects allow the loss of fields.
func (d *drawing) allowing() *drawing {
	for _, r := range d.resources {
		if fields := removable[r.typeName]; fields != nil && d.bool("allows "+r.address) {
			d.configs[r.address][allowRemovalOf] = fields
		}
	}
	return d
}

// withBlanks is a JSON text with other blanks.
func withBlanks(text string) string {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	spelled, err := json.MarshalIndent(value, "", "   ")
	must(err)
	return string(spelled)
}
