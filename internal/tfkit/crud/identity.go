package crud

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// Identity is what identifies an object.
type Identity struct {
	// Attributes identify it. The import id is their values joined by "/".
	Attributes []IdentityAttribute
	// ImportPrefix is what an import id may begin with.
	ImportPrefix string
	// Name is the attribute that names an object in messages, if the server chooses its id.
	// Otherwise it is the import id.
	Name string
	// Moved recognizes the object in states of other providers, for moved
	// blocks; the zero value disables them. Its title is that of the Spec.
	Moved movestate.Kind
}

// IdentityAttribute is one of the attributes that identify an object.
type IdentityAttribute struct {
	// Name is the name of the attribute, a string that is required or generated.
	Name string
	// Description is plain text.
	Description string
	// Problem returns what is wrong with a value, or "". May be nil.
	Problem func(value string) string
	// LookupProblem replaces Problem in data sources, which may read objects
	// that cannot be managed. nil: Problem.
	LookupProblem func(value string) string
	// Optional is set for the first of several attributes if it may be empty.
	Optional bool
}

// ID has the values of the identity attributes, in order.
type ID []string

// String is the import id. It has no part that is empty.
func (id ID) String() string {
	return strings.Join(slices.DeleteFunc(slices.Clone(id), func(part string) bool { return part == "" }), "/")
}

// attrID is the computed attribute with the import id.
const attrID = "id"

// schema is the schema of the identity.
func (i Identity) schema() identityschema.Schema {
	attributes := map[string]identityschema.Attribute{}
	for _, a := range i.Attributes {
		attributes[a.Name] = identityschema.StringAttribute{RequiredForImport: !a.Optional, OptionalForImport: a.Optional, Description: a.Description}
	}
	return identityschema.Schema{Attributes: attributes}
}

// of returns the identity of an object, and whether it is known.
func (i Identity) of(value definition.Value) (id ID, known bool) {
	fields := definition.FieldsOf(value)
	known = true
	for _, a := range i.Attributes {
		known = known && fields[a.Name].IsKnown()
		id = append(id, definition.StringOf(fields[a.Name]))
	}
	return id, known
}

// values returns the values of an identity by attribute.
func (i Identity) values(id ID) map[string]string {
	values := make(map[string]string, len(id))
	for j, a := range i.Attributes {
		values[a.Name] = id[j]
	}
	return values
}

// last is the attribute that diagnostics about the id refer to.
func (i Identity) last() string { return i.Attributes[len(i.Attributes)-1].Name }

func (i Identity) lastPath() path.Path { return path.Root(i.last()) }

// isChosenByServer reports whether the server chooses the id of an object.
func (i Identity) isChosenByServer() bool { return i.last() == attrID }

// parse parses an import id, and returns what is wrong with it or "".
func (i Identity) parse(text string) (ID, string) {
	text = strings.TrimPrefix(text, i.ImportPrefix)
	id := ID{text}
	if len(i.Attributes) > 1 {
		id = strings.SplitN(text, "/", len(i.Attributes))
	}
	if i.Attributes[0].Optional && len(id) == len(i.Attributes)-1 {
		id = append(ID{""}, id...)
	}
	return id, i.problem(id)
}

// problem returns what is wrong with an identity, or "".
func (i Identity) problem(id ID) string {
	if len(id) != len(i.Attributes) {
		return fmt.Sprintf("%q does not have %d parts separated by \"/\".", id.String(), len(i.Attributes))
	}
	for j, a := range i.Attributes {
		if problem := a.problem(id[j]); problem != "" {
			return problem
		}
		if id[j] == "" && !a.Optional {
			return a.Name + " is empty."
		}
	}
	return ""
}

// names lists the parts of an import id.
func (i Identity) names() string {
	names := make([]string, len(i.Attributes))
	for j, a := range i.Attributes {
		names[j] = a.Name
	}
	if i.Attributes[0].Optional {
		return strings.Join(names[1:], "/") + " or " + strings.Join(names, "/")
	}
	return strings.Join(names, "/")
}

// sentence lists the attributes of the identity in a sentence.
func (i Identity) sentence() string { return strings.ReplaceAll(i.names(), "/", " and ") }

// problem returns what is wrong with a value, or "".
func (a IdentityAttribute) problem(value string) string {
	if a.Problem == nil {
		return ""
	}
	return a.Problem(value)
}

// SaveIdentity sets the identity if the CLI supports identities.
func SaveIdentity(ctx context.Context, to *tfsdk.ResourceIdentity, attributes map[string]string) (diags diag.Diagnostics) {
	if to == nil {
		return nil
	}
	for name, value := range attributes {
		diags.Append(to.SetAttribute(ctx, path.Root(name), value)...)
	}
	return diags
}

// ProblemValidator validates an attribute of another schema like an identity
// attribute.
func ProblemValidator(name string, problem func(value string) string) validator.String {
	return problemValidator{IdentityAttribute{Name: name, Problem: problem}}
}

// problemValidator validates an identity attribute.
type problemValidator struct{ attribute IdentityAttribute }

// Description describes the allowed values.
func (v problemValidator) Description(context.Context) string { return v.attribute.Description }

// MarkdownDescription describes the allowed values.
func (v problemValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString validates a known value.
func (v problemValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if problem := v.attribute.problem(req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid "+v.attribute.Name, problem)
	}
}
