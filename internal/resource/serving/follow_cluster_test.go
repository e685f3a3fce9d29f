package serving_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func (c *clustered) retag(tag string) {
	c.env.ChangeAppImage(c.images["v1"], func(i *kuscia.AppImage) { i.Image.Tag = tag })
}

func (c *clustered) image(tag string) {
	c.t.Helper()
	if got := c.state.Text("parties", "alice", "image"); got != "example/app:"+tag {
		c.t.Errorf("the image is %s, want the tag %s", got, tag)
	}
}

// TestFollowByDeployments: with a cluster the image of an import, and after an update that is
// still being applied, is that of the Deployments.
func TestFollowByDeployments(t *testing.T) {
	t.Parallel()
	c := newClustered(t, acctest.NewKubeServer(t))
	c.apply("v1", nil)
	c.expect(true)

	// An app image that has changed since then, and that no update has applied.
	c.retag("v3")
	imported, said := c.resource().Import(t, c.name)
	if said != "" {
		t.Fatal(said)
	}
	own := c.state
	c.state = imported
	c.read()
	c.image("v1")
	c.apply("v1", nil)
	c.expect(true)
	c.runs("v3")
	c.image("v3")

	// The old state: that another client's redeploy has applied the image is not known, so that
	// it is applied once more.
	c.state = own
	c.read()
	c.image("v1")
	c.apply("v1", nil)
	c.image("v3")
	c.expect(true)

	// Kuscia lags: the pods will get the image, and nothing is sent again.
	c.kube.StopController(acctest.KusciaController)
	c.retag("v4")
	c.read()
	late := map[string]any{"timeouts": map[string]any{"update": "4s"}}
	c.apply("v1", late)
	c.expect(false, "was updated but does not run")
	c.image("v4")
	c.read()
	c.image("v4")
	c.apply("v1", late)
	c.expect(false, "does not run", "Nothing was sent")
	c.kube.StartController(acctest.KusciaController)
	c.apply("v1", nil)
	c.expect(true)
	c.runs("v4")
}
