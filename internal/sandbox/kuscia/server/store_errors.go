package server

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// FieldErrors are the store's validation errors for the fields of an object.
type FieldErrors []string

// Supported reports a value that is not one of the supported ones.
func (e *FieldErrors) Supported(field, value string, values ...string) {
	if slices.Contains(values, value) {
		return
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = fmt.Sprintf("%q", v)
	}
	*e = append(*e, fmt.Sprintf("%s: Unsupported value: %q: supported values: %s", field, value, strings.Join(quoted, ", ")))
}

// Text is the error for an object of a kind (singular, such as DomainData), ""
// if there are no validation errors.
func (e FieldErrors) Text(kind, name string) string {
	switch len(e) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%s.kuscia.secretflow %q is invalid: %s", kind, name, e[0])
	default:
		return fmt.Sprintf("%s.kuscia.secretflow %q is invalid: [%s]", kind, name, strings.Join(e, ", "))
	}
}

var (
	labelRule     = regexp.MustCompile(`^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`)
	subdomainRule = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
)

// Label reports a value that is not a valid label.
func (e *FieldErrors) Label(value string) {
	switch {
	case len(value) > 63:
		*e = append(*e, fmt.Sprintf("metadata.labels: Invalid value: %q: must be no more than 63 characters", value))
	case !labelRule.MatchString(value):
		*e = append(*e, fmt.Sprintf("metadata.labels: Invalid value: %q: a valid label must be an empty string or consist of alphanumeric characters, "+
			"'-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "+
			"regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')", value))
	}
}

// ObjectName reports a name that is not a valid object name.
func (e *FieldErrors) ObjectName(name string) {
	if !subdomainRule.MatchString(name) {
		*e = append(*e, fmt.Sprintf("metadata.name: Invalid value: %q: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, "+
			`'-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', `+
			`regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`, name))
	}
}

// SelectorError is the store's error for a filter that is not a valid label, or
// "".
func SelectorError(value string) string {
	if words := strings.Fields(value); len(words) > 1 {
		return fmt.Sprintf("found '%s', expected: ',' or 'end of string'", words[1])
	}
	return ""
}
