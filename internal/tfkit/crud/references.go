package crud

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Reference is an object to which an attribute refers.
type Reference struct {
	Kind *clients.ObjectKind
	// ID is its import id; it is not looked up if a part is empty, as of an unknown value.
	ID string
	At path.Path
	// Without is what the server does without the object, as a sentence.
	Without string
	// Advice is what else can be done, as a sentence, or "".
	Advice string
	// Accepted is set if the server accepts the reference nevertheless: it is a warning.
	Accepted bool
	// EachUpdate is set if the server looks the object up with every update, and not only
	// when the reference is new.
	EachUpdate bool
}

// DomainReference is a reference to a domain.
func DomainReference(id string, at path.Path, without string) Reference {
	return Reference{Kind: clients.DomainObjects, ID: id, At: at, Without: without}
}

// otherBlock explains why an object that the configuration creates may be
// rejected as missing: the CLI starts a process for each provider block.
const otherBlock = "An object that another provider block creates is unknown here: use the same block for both, or apply that first (terraform apply -target=ADDRESS)."

// CheckReferences rejects references to objects that the server does not have and that
// nothing planned so far creates: an apply would fail after it has destroyed the object that
// it replaces, or silently make one that cannot work. It is an error also if a resource of
// the configuration creates the object without a reference to it, since Terraform applies
// the two concurrently then, so that the apply would fail at random.
func CheckReferences(ctx context.Context, c *clients.Clients, references []Reference, diags *diag.Diagnostics) {
	AddMissing(Missing(references, func(r Reference) bool { return c.IsMissing(ctx, r.Kind, r.ID) }), diags)
}

// Missing returns the references whose id is known and whose object is missing.
func Missing(references []Reference, isMissing func(Reference) bool) []Reference {
	return slices.DeleteFunc(slices.Clone(references), func(r Reference) bool {
		return slices.Contains(strings.Split(r.ID, "/"), "") || !isMissing(r)
	})
}

// maxAlsoNeeded bounds the attributes in a message.
const maxAlsoNeeded = 5

// AddMissing reports that the objects do not exist, each of them once.
func AddMissing(missing []Reference, diags *diag.Diagnostics) {
	for i, r := range missing {
		if slices.ContainsFunc(missing[:i], r.isSame) || slices.ContainsFunc(missing, r.isIn) {
			continue
		}
		var also []string
		for _, other := range missing[i+1:] {
			if r.isSame(other) {
				also = append(also, other.At.String())
			}
		}
		if more := len(also) - maxAlsoNeeded; more > 0 {
			also = append(also[:maxAlsoNeeded], fmt.Sprintf("and %d more", more))
		}
		r.addMissing(strings.Join(also, ", "), diags)
	}
}

// isSame reports whether a reference is to the same object.
func (r Reference) isSame(other Reference) bool {
	return r.Kind.IsSame(other.Kind) && r.ID == other.ID
}

// isIn reports whether the object of a reference belongs to a domain that is missing too.
func (r Reference) isIn(domain Reference) bool {
	return domain.Kind == clients.DomainObjects && strings.HasPrefix(r.ID, domain.ID+"/")
}

func (r Reference) addMissing(also string, diags *diag.Diagnostics) {
	domain, name, nested := strings.Cut(r.ID, "/")
	if !nested {
		domain, name = "", r.ID
	}
	last, _ := r.At.Steps().LastStep()
	refer := fmt.Sprintf("%s.NAME.%s", r.Kind.TypeName, r.Kind.Attribute)
	attribute, assigned := last.String(), last.String()+" = "+refer
	if _, is := last.(path.PathStepElementKeyString); is {
		attribute, assigned = "the key", "("+refer+") = {...}"
	}
	server, in, setting := "Kuscia", "domain", "that endpoint is the intended Kuscia"
	if r.Kind.Kubernetes != nil {
		server, in, setting = "The cluster", "namespace", "that kubernetes in the provider block is the intended cluster"
	}
	which := fmt.Sprintf("%s has no %s %q", server, r.Kind.Title, name)
	if domain != "" {
		which += fmt.Sprintf(" in the %s %q", in, domain)
	}
	if also != "" {
		which += " (also needed at " + also + ")"
	}
	summary := clients.Capitalize(r.Kind.Title) + " does not exist"
	if r.Accepted {
		diags.AddAttributeWarning(r.At, summary, check.WithPath(r.At, join(which+".", r.Without, r.Advice)))
		return
	}
	diags.AddAttributeError(r.At, summary, check.WithPath(r.At, join(which+".", r.Without, r.Advice, fmt.Sprintf(
		"Correct %s, or create the %s first. If this configuration creates it, refer to it, so that Terraform creates it first: %s.\n\nAlso check %s. %s",
		attribute, r.Kind.Title, assigned, setting, otherBlock))))
}

// join joins sentences.
func join(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// checkReferences checks what a planned change refers to. before is null for a create, which
// Terraform also plans for a replacement.
func (o *Object[W]) checkReferences(ctx context.Context, c *clients.Clients, planned, before definition.Value, diags *diag.Diagnostics) {
	if o.PlanObject != nil { // PlanCheck checks them
		return
	}
	if o.Server.Reached == nil || !o.Server.Reached(c, ctx, diags) || o.References == nil {
		return
	}
	wire, unconvertible := o.wire(planned, o.Definition.Null())
	var known []Reference
	if !before.IsNull() {
		old, _ := o.wire(before, o.Definition.Null())
		known = o.References(old)
	}
	CheckReferences(ctx, c, slices.DeleteFunc(o.References(wire), func(r Reference) bool {
		isKept := func(old Reference) bool { return old.isSame(r) && !r.EachUpdate }
		isUnknown := func(at path.Path) bool { return check.Within(r.At, at) }
		return slices.ContainsFunc(known, isKept) || slices.ContainsFunc(unconvertible.All(), isUnknown)
	}), diags)
}
