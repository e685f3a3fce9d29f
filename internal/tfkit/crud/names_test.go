package crud_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestMistakenNamesEndTheStart: New, which runs when the provider starts, panics for a conversion that
// reads or writes what is no attribute, also deep in an object, and for such an identity.
func TestMistakenNamesEndTheStart(t *testing.T) {
	t.Parallel()
	for name, mistake := range map[string]func(*crud.Spec[widget]){
		"none":     func(*crud.Spec[widget]) {},
		"identity": func(s *crud.Spec[widget]) { s.Identity.Attributes[0].Name = "mistaken" },
		"name":     func(s *crud.Spec[widget]) { s.Identity.Name = "mistaken" },
		"to wire": func(s *crud.Spec[widget]) {
			s.ToWire = func(r definition.Reader) *widget {
				access, _ := r.Object("access")
				return &widget{secret: access.String("mistaken")}
			}
		},
		"from wire": func(s *crud.Spec[widget]) {
			s.FromWire = func(*widget) definition.Tree { return tree{"access": tree{"mistaken": "x"}} }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if said := fmt.Sprint(recover()); strings.Contains(said, `"mistaken" is no attribute`) == (name == "none") {
					t.Error(said)
				}
			}()
			wrong := spec(&widgets{})
			mistake(&wrong)
			crud.New(wrong)
		})
	}
}
