package party

import (
	"encoding/json"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// TestFromCluster: an app image is the same by both APIs. testdata has its object in the cluster,
// and what KusciaAPI returns.
func TestFromCluster(t *testing.T) {
	t.Parallel()
	image, err := FromCluster(testfile.JSON[map[string]any](t, "testdata/app_image_object.json"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := json.MarshalIndent(image, "", "  "); err != nil || string(got)+"\n" != testfile.Read(t, "testdata/app_image.json") {
		t.Errorf("got %s, %v", got, err)
	}
	if none, err := FromCluster(nil); err != nil || len(none.DeployTemplates) > 0 {
		t.Errorf("nothing is %v, %v", none, err)
	}
	if _, err := FromCluster(map[string]any{"spec": map[string]any{"deployTemplates": "x"}}); err == nil {
		t.Error("another form is accepted")
	}
}
