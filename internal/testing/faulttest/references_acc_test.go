package faulttest_test

import (
	"fmt"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// twoBlocks are two provider blocks of one Kuscia. The second one has what objects of the first one
// refer to.
const twoBlocks = `
provider "kuscia" {
  endpoint = %q
}
provider "kuscia" {
  alias    = "other"
  endpoint = %[1]q
}
resource "kuscia_app_image" "app" {
  provider         = kuscia.other
  name             = "app"
  image            = { name = "example.com/app", tag = "1" }
  deploy_templates = [{ name = "app", containers = [{ name = "main" }] }]
}
resource "kuscia_domain" "carol" {
  provider  = kuscia.other
  domain_id = "carol"
}
`

// ofSeveralBlocks is a configuration whose objects refer to those of other provider blocks: of
// a second one for the master, and of one for the node of alice. grantee exists nowhere.
const ofSeveralBlocks = twoBlocks + `
provider "kuscia" {
  alias    = "alice"
  endpoint = %q
}
variable "app_image" {
  default = ""
}
variable "destination" {
  default = "bob"
}
resource "kuscia_domain" "dave" {
  provider  = kuscia.other
  for_each  = var.destination == "dave" ? { dave = true } : {}
  domain_id = each.key
}
resource "kuscia_domain_route" "out" {
  source              = kuscia_domain.carol.domain_id
  destination         = var.destination == "dave" ? kuscia_domain.dave["dave"].domain_id : var.destination
  authentication_type = "None"
  endpoint = {
    host  = "gateway"
    ports = [{ name = "http", port = 1080, protocol = "HTTP" }]
  }
}
resource "kuscia_serving" "glm" {
  serving_id = "glm"
  initiator  = "alice"
  parties    = { alice = { app_image = var.app_image == "" ? kuscia_app_image.app.name : var.app_image } }
}
resource "kuscia_domain_data_source" "files" {
  provider      = kuscia.alice
  domain_id     = "alice"
  datasource_id = "files"
  type          = "localfs"
  localfs       = { path = "/data" }
}
resource "kuscia_domain_data" "scores" {
  domain_id     = "alice"
  domaindata_id = "scores"
  datasource_id = kuscia_domain_data_source.files.datasource_id
  type          = "table"
  relative_uri  = "scores.csv"
}
resource "kuscia_domain_data_grant" "scores" {
  provider           = kuscia.other
  domain_id          = "alice"
  domaindatagrant_id = "scores"
  domaindata_id      = kuscia_domain_data.scores.domaindata_id
  grant_domain       = "later"
}
`

// TestAccReferences: what another provider block or another state creates is a warning in the
// plan, and an apply makes it in the order of the references: with two blocks for one Kuscia, and
// with blocks for a master and a node. A grantee that does not exist is a warning in plan and
// apply. An apply of a part brings what it refers to. A mock that is applied is refused, and a
// replacement before anything is destroyed.
func TestAccReferences(t *testing.T) {
	t.Parallel()
	w := newQuietCLI(t)
	master := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolNOTLS, StaleConfig: -1}).Sandbox
	node := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolNOTLS, Lite: "alice", Master: master}).Sandbox
	w.save(acctest.RequiredProvider + fmt.Sprintf(ofSeveralBlocks, master.Endpoint(), node.Endpoint()))
	run := func(code int, args ...string) string {
		t.Helper()
		return w.ends(t, code, args...)
	}
	changes := func() int { return master.Count(acctest.PathServingCreate) + master.Count("/api/v1/route/delete") }

	const grantee = `Kuscia has no domain "later". It accepts the grant`
	planned := run(2, "plan", "-out=plan", "-detailed-exitcode")
	protocol.Says(t, "the plan", planned, `Warning: Domain does not exist`, `Kuscia has no domain "carol"`, `Warning: App image does not exist`, `Kuscia has no app image "app"`,
		`Warning: Data source does not exist`, `Kuscia has no data source "files" in the domain "alice"`, `Warning: Domain data does not exist`, "Another provider block, another state or another client may create it")
	protocol.Says(t, "the apply", run(0, "apply", "plan"), grantee)
	run(0, "plan", "-detailed-exitcode")

	protocol.Says(t, "the destroy", run(0, "destroy", "-auto-approve"), "Destroy complete!")

	run(0, "apply", "-auto-approve", "-target=kuscia_domain_data_grant.scores", "-target=kuscia_domain_route.out")
	before := changes()
	protocol.Says(t, "the plan with a mock", run(2, "plan", "-detailed-exitcode", "-target=kuscia_serving.glm", "-var=app_image=mock"), `Warning: App image does not exist`, `Kuscia has no app image "mock"`, "may be a mock of an output")
	protocol.Says(t, "the apply of a mock", run(1, "apply", "-auto-approve", "-target=kuscia_serving.glm", "-var=app_image=mock"), `Error: App image does not exist`, "Nothing was sent.", "a mock of an output is not a value to apply", "Also check that endpoint is the intended Kuscia.")
	refused := run(1, "apply", "-auto-approve", "-target=kuscia_domain_route.out", "-var=destination=dave")
	protocol.Says(t, "the replacement", refused, `Error: Domain does not exist`, `Kuscia has no domain "dave"`, "The apply would destroy the old object", "terraform apply -target=ADDRESS")
	if n := changes() - before; n > 0 {
		t.Errorf("%d servings or routes were created or deleted", n)
	}
	run(0, "apply", "-auto-approve", `-target=kuscia_domain.dave`, "-var=destination=dave")
	run(0, "apply", "-auto-approve", "-var=destination=dave")
	run(0, "destroy", "-auto-approve")
}
