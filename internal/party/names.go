package party

import (
	"regexp"
)

// The patterns of names.
var (
	Label         = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	OptionalLabel = regexp.MustCompile(`^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$`)
	ServicePrefix = regexp.MustCompile(`^([a-z]([-a-z0-9]{0,46}[a-z0-9])?)?$`)
)

// The descriptions of the patterns in messages.
const (
	LabelRule  = "must be an RFC 1123 label: lower-case letters, digits and '-', starting and ending with a letter or digit, at most 63 characters"
	PrefixRule = "must start with a lower-case letter, continue with lower-case letters, digits and '-', end with a letter or digit, and have at most 48 characters"
)
