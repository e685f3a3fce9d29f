package definition_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestDataSourceIsSensitive: an attribute with a write-only alternative is
// sensitive in a data source, unless it is readable.
func TestDataSourceIsSensitive(t *testing.T) {
	t.Parallel()
	attributes := definition.New(definition.Schema{Attributes: []definition.Attribute{
		{Name: "secret", Presence: definition.Nullable, WriteOnly: true}, {Name: "plain"},
		{Name: "readable", Presence: definition.Nullable, WriteOnly: true, Readable: true},
	}}).ForDataSource().DataSourceAttributes(nil)
	if !attributes["secret"].IsSensitive() || attributes["plain"].IsSensitive() || attributes["readable"].IsSensitive() {
		t.Errorf("%v", attributes)
	}
}
