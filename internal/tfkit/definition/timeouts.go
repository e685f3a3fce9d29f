package definition

import (
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Timeouts are the default time limits of the operations of a resource. An
// operation with 0 has no limit to configure.
type Timeouts struct{ Create, Update, Delete time.Duration }

// AttrTimeouts is the name of the attribute with the time limits.
const AttrTimeouts = "timeouts"

// Operation is an operation of a resource, the name of its time limit.
type Operation string

// The operations.
const (
	OnCreate Operation = "create"
	OnUpdate Operation = "update"
	OnDelete Operation = "delete"
)

// operationTexts describe the time limits, with their defaults.
var operationTexts = map[Operation]string{
	OnCreate: "For a create. Default `%s`.",
	OnUpdate: "For an update. Default `%s`.",
	OnDelete: "For a delete. Default `%s`. " + tfvalue.StoredDescription,
}

// operations are the operations that have a time limit.
func (t Timeouts) operations() (limited []Operation) {
	for _, operation := range []Operation{OnCreate, OnUpdate, OnDelete} {
		if t.Of(operation) > 0 {
			limited = append(limited, operation)
		}
	}
	return limited
}

// Of returns the default time limit of an operation; 0: it has none.
func (t Timeouts) Of(operation Operation) time.Duration {
	return map[Operation]time.Duration{OnCreate: t.Create, OnUpdate: t.Update, OnDelete: t.Delete}[operation]
}

// attributes returns the attribute timeouts, if any operation has a time limit.
func (t Timeouts) attributes() []Attribute {
	var limits []Attribute
	defaults := Tree{}
	for _, operation := range t.operations() {
		defaults[string(operation)] = ShortDuration(t.Of(operation))
		limits = append(limits, Attribute{
			Name: string(operation), Type: String, Presence: Nullable, SemanticEquality: Duration,
			Description: fmt.Sprintf(operationTexts[operation], defaults[string(operation)]),
		})
	}
	if len(limits) == 0 {
		return nil
	}
	return []Attribute{{
		Name: AttrTimeouts, Type: Object, Presence: Nullable, Local: true, Default: defaults, Description: tfvalue.TimeLimitsDescription, Attributes: limits,
	}}
}

// ShortDuration writes 20m0s as 20m.
func ShortDuration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// problems returns what is wrong with the configured time limits.
func (t Timeouts) problems(config Value) (found []Problem) {
	for _, operation := range t.operations() {
		limit := limitOf(config, operation)
		if limit.Type() == nil || limit.IsNull() || !limit.IsKnown() {
			continue
		}
		if _, err := tfvalue.ParseTimeLimit(StringOf(limit)); err != nil {
			found = append(found, Problem{path.Root(AttrTimeouts).AtName(string(operation)), tfvalue.InvalidTimeLimit, err.Error() + "."})
		}
	}
	return found
}

// limitOf returns the configured time limit of an operation.
func limitOf(value Value, operation Operation) Value {
	return FieldsOf(FieldsOf(value)[AttrTimeouts])[string(operation)]
}

// Timeout returns the time limit of an operation, of a value that is valid: the
// configured one, or the default.
func (d *Definition) Timeout(value Value, operation Operation) time.Duration {
	if limit, err := tfvalue.ParseTimeLimit(StringOf(limitOf(value, operation))); err == nil {
		return limit
	}
	return d.schema.Timeouts.Of(operation)
}
