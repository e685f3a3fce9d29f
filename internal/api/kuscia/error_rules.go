package kuscia

import (
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// errorRule maps a code to a kind of error, for a group of operations and the
// messages that match.
type errorRule struct {
	code int32
	// operations is a prefix of the names of the operations, "" for all.
	operations string
	// fits matches the message, nil for any message.
	fits func(ids []string, message string) bool
	kind error
}

// errorRuleTable has the rules of all objects by code. Rules for a longer
// prefix come first, whichever object declares them: the same code has another
// meaning for some operations.
type errorRuleTable map[int32][]errorRule

// errorRules are checked before the general rules. The rules of an object are
// declared next to its operations and added when the package is initialized.
var errorRules = errorRuleTable{}

// add adds the rules of an object. Those for the same code and prefix are
// checked in the given order.
func (t errorRuleTable) add(rules ...errorRule) errorRuleTable { //nolint:unparam // the declaration of a package variable needs a value
	for _, rule := range rules {
		of := slices.Concat(t[rule.code], []errorRule{rule})
		slices.SortStableFunc(of, func(a, b errorRule) int { return len(b.operations) - len(a.operations) })
		t[rule.code] = of
	}
	return t
}

// kindOf returns the kind of an error, nil if no rule matches.
func (t errorRuleTable) kindOf(op httpapi.Operation, ids []string, code int32, message string) error {
	for _, rule := range t[code] {
		if strings.HasPrefix(op.Name, rule.operations) && (rule.fits == nil || rule.fits(ids, message)) {
			return rule.kind
		}
	}
	return nil
}

// has matches messages that contain any of the parts.
func has(parts ...string) func([]string, string) bool {
	return func(_ []string, message string) bool { return containsAny(message, parts) }
}

// isGone matches only a text about one of the requested objects. A code alone may be about
// another object, or from a proxy, and an object is removed from the state only if it is
// certainly gone.
func isGone(ids []string, message string) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		name := lastPart(id)
		return strings.HasSuffix(message, strconv.Quote(name)+" not found") ||
			strings.HasSuffix(message, strconv.Quote(strings.ReplaceAll(id, "/", "-"))+" not found") ||
			strings.HasSuffix(message, " data source "+name+" doesn't exist")
	})
}

// lastPart returns the object's own id in "domain/object".
func lastPart(id string) string {
	return id[strings.LastIndex(id, "/")+1:]
}
