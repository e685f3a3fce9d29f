package tfvalue

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// Matches validates a text with a pattern. rule says what is allowed, with an
// example, and begins with a verb: "must be ...". Unlike the validators of the
// framework, it quotes a bounded part of the value.
func Matches(pattern *regexp.Regexp, rule string) validator.String {
	return textValidator{rule: rule, valid: pattern.MatchString}
}

// OneOf validates that a text is one of those that are allowed.
func OneOf(allowed ...string) validator.String {
	quoted := make([]string, len(allowed))
	for i, text := range allowed {
		quoted[i] = Quote(text)
	}
	return textValidator{
		rule:  "must be one of " + strings.Join(quoted, ", "),
		valid: func(text string) bool { return slices.Contains(allowed, text) },
	}
}

// NotEmpty validates that a text is not empty.
func NotEmpty() validator.String {
	return textValidator{rule: "must not be empty", valid: func(text string) bool { return text != "" }}
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
	name := ""
	if last, _ := req.Path.Steps().LastStep(); last != nil {
		name = last.String()
	}
	resp.Diagnostics.AddAttributeError(req.Path, "Invalid "+name, fmt.Sprintf("%s: %s is not allowed; it %s.", req.Path, Quote(text), v.rule))
}
