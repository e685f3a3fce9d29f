package party

import (
	"encoding/json"
	"os"
	"testing"
)

// TestFromCluster: an app image is the same by both APIs. testdata has its object in the cluster,
// and what KusciaAPI returns.
func TestFromCluster(t *testing.T) {
	t.Parallel()
	object, err := os.ReadFile("testdata/app_image_object.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/app_image.json")
	if err != nil {
		t.Fatal(err)
	}
	var decoded map[string]any
	if err := json.Unmarshal(object, &decoded); err != nil {
		t.Fatal(err)
	}
	image, err := FromCluster(decoded)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := json.MarshalIndent(image, "", "  "); err != nil || string(got)+"\n" != string(want) {
		t.Errorf("got %s, %v", got, err)
	}
	if none, err := FromCluster(nil); err != nil || len(none.DeployTemplates) > 0 {
		t.Errorf("nothing is %v, %v", none, err)
	}
	if _, err := FromCluster(map[string]any{"spec": map[string]any{"deployTemplates": "x"}}); err == nil {
		t.Error("another form is accepted")
	}
}
