package bounded

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// TestSourceLine: paths with which Terraform 1.17 shows the line of the value, and older CLIs that of
// the element around it.
func TestSourceLine(t *testing.T) {
	t.Parallel()
	name := tftypes.NewAttributePath().WithAttributeName("name")
	image := tftypes.NewAttributePath().WithAttributeName("image").WithAttributeName("name")
	party := tftypes.NewAttributePath().WithAttributeName("parties").WithElementKeyString("bob")
	parties := party.WithAttributeName("role")
	for at, want := range map[*tftypes.AttributePath]*tftypes.AttributePath{
		name: name, party: party,
		image:   tftypes.NewAttributePath().WithAttributeName("image").WithElementKeyString("name"),
		parties: parties.WithAttributeName("parties").WithElementKeyString("bob"),
	} {
		if got := sourceLine(at); !got.Equal(want) {
			t.Errorf("%s is shown at %s, want %s", at, got, want)
		}
	}
}
