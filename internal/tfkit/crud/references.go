package crud

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// Reference is an object to which an attribute refers.
type Reference struct {
	Kind *run.ObjectKind
	// ID is its import id; it is not looked up if a part is empty, as of an unknown value.
	ID string
	At path.Path
	// Without is what the server does without the object, as a sentence.
	Without string
	// Advice is what else can be done, as a sentence, or "".
	Advice string
	// Accepted is set if the server accepts the reference nevertheless: it is a warning.
	Accepted bool
	// EachUpdate is set if every update needs the object, and not only one in which the
	// reference is new.
	EachUpdate bool
}

// DomainReference is a reference to a domain.
func DomainReference(id string, at path.Path, without string) Reference {
	return Reference{Kind: run.DomainObjects, ID: id, At: at, Without: without}
}

// Moment is when the references of an object are checked.
type Moment int

const (
	// InPlan is the plan of an object that destroys nothing: what is missing may exist when the apply needs it.
	InPlan Moment = iota
	// InReplacement is the plan of a replacement, whose apply destroys a live object before it
	// creates the one with the references.
	InReplacement
	// InApply is right before a request with the references is sent.
	InApply
)

// CheckReferences reports references to objects that the server does not have. Only an apply
// certainly knows that an object is missing when it is needed: another provider block, for which
// the CLI starts a process of its own, another state or another client may create it until then,
// and the reference may be the mock of an output that is not known yet. So a plan warns of what
// nothing planned so far creates, and the apply refuses it before anything is sent. The two
// exceptions: the plan of a replacement refuses it, and what the server accepts is a warning, in
// every plan; the CLI plans each change again in its apply.
func CheckReferences(ctx context.Context, c *run.Run, moment Moment, references []Reference, diags *diag.Diagnostics) {
	isMissing := c.IsMissing
	switch {
	case moment == InApply:
		isMissing, references = c.IsMissingNow, required(references)
	case moment == InPlan && c.Writes() > 0: // an apply, which reports the others as errors
		references = slices.DeleteFunc(slices.Clone(references), func(r Reference) bool { return !r.Accepted })
	}
	AddMissing(moment, slices.DeleteFunc(slices.Clone(references), func(r Reference) bool {
		isUnknown := slices.Contains(strings.Split(r.ID, "/"), "")
		return isUnknown || !isMissing(ctx, r.Kind, r.ID)
	}), diags)
}

// maxAlsoNeeded bounds the attributes in a message.
const maxAlsoNeeded = 5

// AddMissing reports that the objects do not exist, each of them once.
func AddMissing(moment Moment, missing []Reference, diags *diag.Diagnostics) {
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
		r.addMissing(moment, strings.Join(also, ", "), diags)
	}
}

// isSame reports whether a reference is to the same object.
func (r Reference) isSame(other Reference) bool {
	return r.Kind.IsSame(other.Kind) && r.ID == other.ID
}

// isIn reports whether the object of a reference belongs to a domain that is missing too.
func (r Reference) isIn(domain Reference) bool {
	return domain.Kind == run.DomainObjects && strings.HasPrefix(r.ID, domain.ID+"/")
}

func (r Reference) addMissing(moment Moment, also string, diags *diag.Diagnostics) {
	domain, name, nested := strings.Cut(r.ID, "/")
	if !nested {
		domain, name = "", r.ID
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
	summary, detail := message.Capitalize(r.Kind.Title)+" does not exist", join(which+".", r.Without, r.Advice)
	switch {
	case r.Accepted:
		diags.AddAttributeWarning(r.At, summary, check.WithPath(r.At, detail))
	case moment == InPlan:
		diags.AddAttributeWarning(r.At, summary, check.WithPath(r.At, join(detail, fmt.Sprintf(
			"The apply is refused unless the %s exists by then. Another provider block, another state or another client may create it, and the value may be a mock of an output. Otherwise %s\n\nAlso check %s.",
			r.Kind.Title, r.remedy(), setting))))
	case moment == InReplacement:
		diags.AddAttributeError(r.At, summary, check.WithPath(r.At, join(detail, fmt.Sprintf(
			"The apply would destroy the old object, and then not create the new one. If another provider block or another state creates the %s, apply that first (terraform apply -target=ADDRESS). Otherwise %s\n\nAlso check %s.",
			r.Kind.Title, r.remedy(), setting))))
	default:
		diags.AddAttributeError(r.At, summary, check.WithPath(r.At, join(detail, fmt.Sprintf(
			"Nothing was sent. If another provider block or another state creates the %s, apply that first; a mock of an output is not a value to apply. Otherwise %s\n\nAlso check %s.",
			r.Kind.Title, r.remedy(), setting))))
	}
}

// remedy is what to do about an object that nothing else creates.
func (r Reference) remedy() string {
	last, _ := r.At.Steps().LastStep()
	refer := fmt.Sprintf("%s.NAME.%s", r.Kind.TypeName, r.Kind.Attribute)
	attribute, assigned := last.String(), last.String()+" = "+refer
	if _, is := last.(path.PathStepElementKeyString); is {
		attribute, assigned = "the key", "("+refer+") = {...}"
	}
	return fmt.Sprintf("correct %s, or create the %s and refer to it: %s.", attribute, r.Kind.Title, assigned)
}

// join joins sentences.
func join(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// required returns the references without which the server refuses an object.
func required(references []Reference) []Reference {
	return slices.DeleteFunc(slices.Clone(references), func(r Reference) bool { return r.Accepted })
}
