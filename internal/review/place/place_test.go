package place_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/place"
)

// TestOf: each path has its weight, whatever it is called in what users name.
func TestOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]place.Weight{
		"relative_uri": place.Where, "datasource_id": place.Where, "partition.type": place.Where, "oss": place.Where, "oss.prefix": place.Where,
		"localfs.path": place.Where, "database.database": place.Where, "odps.project": place.Where, "info_key": place.Where,
		"columns": place.Columns, "columns.0.name": place.Columns,
		"type": place.How, "partition.fields.0.name": place.How, "oss.version": place.How, "database.user": place.How, "value": place.How,
		"attributes": place.Described, "attributes.relative_uri": place.Described,
	} {
		if got := place.Of(strings.Split(path, ".")); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
}
