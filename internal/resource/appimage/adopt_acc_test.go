package appimage_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccAppImage_adoptedIsNotDeleted: with adopt_existing and
// create_before_destroy, the create of a replacement finds the app image that
// it is about to replace. It adopts that app image, and the delete then keeps
// it.
func TestAccAppImage_adoptedIsNotDeleted(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestAdoptedIsNotDeleted"))
	t.Parallel()
	e := acctest.New(t)
	name := e.Name("adopted")
	requests := e.CountRequests()
	w := e.Applied(t, acctest.ProviderBlock(map[string]any{"adopt_existing": true})+
		appImage{name: name, top: "lifecycle {\n    create_before_destroy = true\n  }"}.hcl())
	output := w.Run(0, "apply", "-auto-approve", "-input=false", "-replace="+address)
	for _, want := range []string{"existed and was adopted", "was not deleted", "remove create_before_destroy"} {
		if !strings.Contains(acctest.Plain(output), want) {
			t.Errorf("no %q in\n%s", want, output)
		}
	}
	if _, err := e.API.QueryAppImage(t.Context(), name); err != nil {
		t.Errorf("the app image was deleted: %v", err)
	}
	if err := requests.ExpectNone(acctest.PathAppImageDelete)(nil); err != nil {
		t.Error(err)
	}
	w.Plan(acctest.PlanEmpty)
}
