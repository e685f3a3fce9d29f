package message

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
)

// Object describes an object in messages about its creation.
type Object struct {
	// Type is the resource type, Title the name of the object in a sentence
	// ("app image").
	Type, Title string
	// Attribute is the attribute that must be unique, Name its value: the name
	// in messages.
	Attribute, Name string
	// ImportID identifies the object. It is the import id; "" if it is not
	// known.
	ImportID string
	// NotReturned are the attributes that the server does not return, so that
	// an adoption cannot compare them.
	NotReturned []string
	// Server is the name of the server; "" means Kuscia.
	Server string
	// Twice is set if two resources of this run are for one object. Creating is set too if the
	// create of the other one has not ended.
	Twice, Creating bool
}

func (o Object) server() string { return cmp.Or(o.Server, "Kuscia") }

// Named returns the kind and the name of the object.
func (o Object) Named() string { return fmt.Sprintf("%s %q", o.Title, o.Name) }

// AddCreateError reports why an object was not created, or that the outcome is
// unknown. It reports nothing if the object was created or adopted.
func AddCreateError(diags *diag.Diagnostics, object Object, result lifecycle.Result) {
	summary := "Unable to create " + object.Title
	var exists *lifecycle.AlreadyExistsError
	switch {
	case result.Err == nil:
	case result.Outcome == lifecycle.Unknown:
		diags.AddError("Unknown whether "+object.Title+" was created", object.unknownDetail(result))
	case errors.As(result.Err, &exists):
		diags.AddAttributeError(path.Root(object.Attribute), summary, object.existsDetail(exists))
	default:
		AddError(diags, summary, result.Err)
	}
}

// unknownDetail is the detail of the error for an unknown outcome: what the server answered, if
// it did, and that the next apply continues.
func (o Object) unknownDetail(result lifecycle.Result) string {
	what := "No usable answer to the create request arrived"
	if apierror.Answered(result.Err) {
		what = Capitalize(o.server()) + " answered the create request with this error"
	}
	after := "It was not found afterwards, but such a request may still be carried out."
	if result.LookupErr != nil {
		after = "Looking it up afterwards failed: " + strings.TrimRight(result.LookupErr.Error(), ". ") + "."
	}
	text := fmt.Sprintf("%s: %s.\n\n%s Apply again: the %s is kept in the state, marked as tainted, and the next plan checks whether it exists.",
		what, strings.TrimRight(result.Err.Error(), ". "), after, o.Title)
	if hint := hint(result.Err); hint != "" {
		text += "\n\n" + hint
	}
	return text
}

// AddAdopted adds a warning about an object that a create has adopted.
func AddAdopted(diags *diag.Diagnostics, object Object) {
	text := Capitalize(object.Named()) + " existed. It is exactly as configured, and adopt_existing is set. Terraform now manages it."
	if len(object.NotReturned) > 0 {
		text += fmt.Sprintf(" %s does not return %s, so it is unknown whether this is as configured.", Capitalize(object.server()), strings.Join(object.NotReturned, ", "))
	}
	diags.AddWarning(Capitalize(object.Title)+" existed and was adopted", text)
}

// AddKept adds a warning that an object was not deleted, since a create of the same run has
// adopted it.
func AddKept(diags *diag.Diagnostics, object Object) {
	diags.AddWarning(Capitalize(object.Title)+" was not deleted", fmt.Sprintf(
		"The same apply adopted %s (adopt_existing). This happens in a replacement with create_before_destroy, or if another resource has the same %s. Terraform also applies create_before_destroy to everything that such a resource depends on. "+
			"The object is unchanged. To replace it, remove create_before_destroy.", object.Named(), object.Attribute))
}

// AddNotCreated adds a warning that an object whose create has lost its response
// may belong to another client. what is what was done instead, such as "was not
// deleted".
func AddNotCreated(diags *diag.Diagnostics, object Object, what string) {
	diags.AddWarning(Capitalize(object.Title)+" "+what, fmt.Sprintf(
		"The response to the create of %s was lost, and the %s that exists now differs from the configuration, or cannot be told apart from one of another client. It was not changed. %s",
		object.Named(), object.Title, Capitalize(object.ImportIfOwn())))
}

// ImportIfOwn explains, after a colon, what to do with an object that may be this
// configuration's or another client's.
func (o Object) ImportIfOwn() string {
	return fmt.Sprintf("if it is this configuration's, import it with this block, with the name of the resource instead of NAME. Otherwise choose another %s.\n\n%s",
		o.Attribute, ImportBlock(o.Type, o.ImportID))
}

// existsDetail is the detail of the error for an existing object: how it
// differs from the configuration, and what the user can do.
func (o Object) existsDetail(e *lifecycle.AlreadyExistsError) string {
	var text strings.Builder
	switch {
	case o.Twice:
		return fmt.Sprintf("%s belongs to another resource: the same apply creates or adopts it for that one. It was not changed. Choose another %s for one of the two, or remove one of them.",
			Capitalize(o.Named()), o.Attribute)
	case e.ResponseLost:
		lost := "The response to the request was lost"
		if apierror.Answered(e.Cause) {
			lost = "The request ended with an error, although it may have been carried out"
		}
		fmt.Fprintf(&text, "%s (%s), and %s has this %s, which differs from the configuration in %s. It was not changed.",
			lost, e.Cause, o.server(), o.Title, atMost(3, e.Differences))
	case len(e.Differences) > 0:
		fmt.Fprintf(&text, "%s already exists and is not in this state. It differs from the configuration in %s, so adopt_existing does not adopt it.",
			Capitalize(o.Named()), atMost(10, e.Differences))
	case e.LookupErr != nil:
		fmt.Fprintf(&text, "%s already exists and is not in this state. It could not be compared with the configuration, so adopt_existing does not adopt it: %s.",
			Capitalize(o.Named()), e.LookupErr)
	default:
		fmt.Fprintf(&text, "%s already exists and is not in this state.", Capitalize(o.Named()))
	}
	if e.Cause != nil && !e.ResponseLost {
		fmt.Fprintf(&text, " %s returned: %s.", Capitalize(o.server()), strings.TrimRight(e.Cause.Error(), ". "))
	}
	text.WriteString("\n\n" + o.importHelp(len(e.Differences) == 0 && e.LookupErr == nil))
	return text.String()
}

// importHelp explains how to continue with an existing object. adoptable:
// adopt_existing might help.
func (o Object) importHelp(adoptable bool) string {
	text := fmt.Sprintf("To manage the existing %s here, import it: add this block to the configuration, with the name of the resource instead of NAME,\n\n%s\n"+
		"or run\n\n  terraform import %s.NAME %s\n\n", o.Title, ImportBlock(o.Type, o.ImportID), o.Type, o.ImportID)
	if o.ImportID == "" {
		text = fmt.Sprintf("To manage the existing %s here, import it by its ID.\n\n", o.Title)
	}
	if adoptable {
		text += "An apply that was killed may have left it. To continue after such an apply without an import, set adopt_existing = true in the provider block, or KUSCIA_ADOPT_EXISTING=true: an object that is exactly as configured is then adopted.\n\n"
	}
	return text + fmt.Sprintf("Otherwise choose another %s. In a replacement with create_before_destroy, which Terraform also applies to everything that such a resource depends on, the old %s still has this one: remove create_before_destroy, or change %s too.",
		o.Attribute, o.Title, o.Attribute)
}

// ImportBlock returns a valid import block, with NAME as the resource's name in
// the configuration.
func ImportBlock(resourceType, id string) string {
	return fmt.Sprintf("  import {\n    to = %s.NAME\n    id = %s\n  }\n", resourceType, quoted(id))
}

// quoted escapes a text for an HCL string.
func quoted(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out.WriteRune('\\')
			out.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return `"` + strings.NewReplacer("${", "$${", "%{", "%%{").Replace(out.String()) + `"`
}

// atMost joins the first names of a list.
func atMost(most int, names []string) string {
	text := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
