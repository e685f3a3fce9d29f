package tfvalue

import (
	"context"
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// Matches validates a text with a pattern. rule says what is allowed, with an
// example, and begins with a verb: "must be ...". Unlike the validators of the
// framework, it quotes a bounded part of the value.
func Matches(pattern *regexp.Regexp, rule string) validator.String {
	return textValidator{rule: rule, valid: pattern.MatchString}
}

// ValueNotAllowed is the summary of the error for a text that is not one of those that are
// allowed.
const ValueNotAllowed = "Value not allowed"

// NotAllowed describes a text that is not one of those that are allowed, as a sentence.
func NotAllowed(text string, allowed []string) string {
	return Quote(text) + " is not allowed; use " + Alternatives(allowed) + "."
}

// Alternatives lists texts: "a", "b" or "c".
func Alternatives(texts []string) string {
	list := ""
	for i, text := range texts {
		switch {
		case i > 0 && i == len(texts)-1:
			list += " or "
		case i > 0:
			list += ", "
		}
		list += Quote(text)
	}
	return list
}

// textValidator validates a text; rule describes what is valid.
type textValidator struct {
	rule  string
	valid func(text string) bool
}

// Description describes the allowed values.
func (v textValidator) Description(context.Context) string { return v.rule }

// MarkdownDescription describes the allowed values.
func (v textValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString validates a known value.
func (v textValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	text := req.ConfigValue.ValueString()
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || v.valid(text) {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path, "Invalid "+attributeAt(req.Path).Name, fmt.Sprintf("%s: %s is not allowed; it %s.", req.Path, Quote(text), v.rule))
}

// attribute is an attribute of a schema.
type attribute struct{ Name string }

// attributeAt returns the innermost attribute of a path; an element of a list or map has that
// of the list or map.
func attributeAt(at path.Path) (found attribute) {
	for _, step := range at.Steps() {
		if name, ok := step.(path.PathStepAttributeName); ok {
			found.Name = string(name)
		}
	}
	return found
}
