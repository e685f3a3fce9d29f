package faulttest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
)

// ofOthersImages is a serving whose app images belong to another client.
const ofOthersImages = `
provider "kuscia" {
  endpoint = %q
}
variable "text" {
  default = "{}"
}
variable "initiator" {
  default = "alice"
}
variable "replicas" {
  default = 1
}
resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = var.initiator
  serving_input_config = var.text
  parties = {
    alice = { app_image = "one", replicas = var.replicas }
    bob   = { app_image = "two" }
  }
}
output "endpoints" {
  value = kuscia_serving.glm.endpoints
}
`

// TestAccChangedBetween: what another client changes between a plan and its apply ends in an error
// of the provider before anything is sent, or in what the plan has left open; never in one of
// Terraform about the provider. None of these changes ends a replacement after its destroy.
func TestAccChangedBetween(t *testing.T) {
	short.LeaveOut(t, short.ShownBy("TestAppImageChangedInPlace", "TestFollowChangedAfterPlan"))
	t.Parallel()
	w := newQuietCLI(t)
	box := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolNOTLS, StaleConfig: -1}).Sandbox
	w.save(acctest.RequiredProvider + fmt.Sprintf(ofOthersImages, box.Endpoint()))
	image := func(name, tag string, ports ...string) {
		t.Helper()
		c := kuscia.Container{Name: "main"}
		for _, port := range append([]string{"service"}, ports...) {
			c.Ports = append(c.Ports, kuscia.ContainerPort{Name: port, Protocol: "HTTP", Scope: "Domain"})
		}
		protocol.NoError(t, box.PutAppImage(kuscia.AppImage{
			Name: name, Image: kuscia.AppImageInfo{Name: "example.com/" + name, Tag: tag},
			DeployTemplates: []kuscia.DeployTemplate{{Name: name, Replicas: 1, Containers: []kuscia.Container{c}}},
		}))
	}
	recreate := func() {
		t.Helper()
		one := int32(1)
		protocol.NoError(t, box.RemoveServing("glm"))
		box.Advance(time.Minute) // until its Deployments are gone
		protocol.NoError(t, box.PutServing(kuscia.CreateServingRequest{ServingID: "glm", Initiator: "alice", ServingInputConfig: "{}", Parties: []kuscia.ServingParty{
			{DomainID: "alice", AppImage: "one", Replicas: &one}, {DomainID: "bob", AppImage: "two", Replicas: &one},
		}}))
	}
	text := func(text string) {
		t.Helper()
		protocol.NoError(t, box.MutateServing("glm", func(s *sandbox.ServingSpec) { s.InputConfig = text }))
	}
	for _, test := range []struct {
		name, change string
		between      func()
		code         int
		says         string
	}{
		{"an image, in an update", `text={"a":1}`, func() { image("two", "2") }, 1, "App image was changed after the plan"},
		{"an image, in a replacement", "initiator=bob", func() { image("two", "3") }, 0, "Apply complete!"},
		{"ports, in a replacement", "initiator=bob", func() { image("two", "3", "more") }, 0, "Apply complete!"},
		{"the endpoints, in an update", "replicas=2", recreate, 0, "Apply complete!"},
		{"the text, in an update", `text={"a":2}`, func() { text(`{"a":3}`) }, 0, "Apply complete!"},
	} {
		image("one", "1")
		image("two", "1")
		w.ends(t, 0, "apply", "-auto-approve")
		w.ends(t, 0, "plan", "-out=plan", "-var="+test.change)
		test.between()
		said := w.ends(t, test.code, "apply", "plan")
		protocol.Says(t, test.name, said, test.says)
		if strings.Contains(said, "Provider produced") {
			t.Errorf("%s:\n%s", test.name, withoutLog(said))
		}
		if _, err := box.Serving("glm"); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		w.ends(t, 0, "destroy", "-auto-approve")
	}
}
