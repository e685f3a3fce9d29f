package serving_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_disappears: a deleted serving is planned as a create; one whose
// app image was deleted keeps its state and can be changed.
func TestAccServing_disappears(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestLife", "TestFollowDeleted"))
	e := newEnv(t)
	// With another tag the start of the rollout can be observed.
	image, lost := e.AppImage(), e.AppImage(func(i *kuscia.AppImage) { i.Image.Tag = "lost" })
	gone, orphan, restless := alone(e, "gone", image), alone(e, "orphan", lost), alone(e, "restless", lost)
	moved := restless.with(func(s *servingHCL) { s.parties[0].image = quote(image) })
	servings := []servingHCL{gone, orphan, restless}

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, servings),
		Steps: []resource.TestStep{
			{Config: join(servings)},
			{
				PreConfig: e.Do(func(ctx context.Context, api *kuscia.Client) error {
					if err := api.DeleteServing(ctx, gone.servingID()); err != nil {
						return err
					}
					return api.DeleteAppImage(ctx, lost)
				}),
				Config: join([]servingHCL{gone, orphan, moved}),
				ConfigPlanChecks: preApply(
					plancheck.ExpectResourceAction(gone.address(), plancheck.ResourceActionCreate),
					plancheck.ExpectResourceAction(orphan.address(), plancheck.ResourceActionNoop),
					plancheck.ExpectResourceAction(moved.address(), plancheck.ResourceActionUpdate),
					expectChanges(moved.address(), "parties.alice.app_image", "parties.alice.image", "rollout_complete"),
				),
				Check: all(
					server(e, gone.servingID(), func(*kuscia.Serving) error { return nil }),
					server(e, moved.servingID(), func(s *kuscia.Serving) error { return expect("app_image", s.Parties[0].AppImage, image) }),
				),
			},
		},
	})
}

// TestAccServing_roleDisappears: an app image that lost the template for a
// party's role hides the serving. The plan has to succeed, so that it can fix
// the app image.
func TestAccServing_roleDisappears(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	e := acctest.New(t)
	name := e.Name("roles")
	image := func(role string) string {
		return acctest.AppImageBlock{
			Label: "sf", Name: name, Template: attrs{"role": role}, Container: attrs{"env": []any{attrs{"name": "PASSWORD", "value": "hunter2"}}},
		}.String()
	}
	s := alone(e, "roles", "")
	s.parties[0].image, s.parties[0].role = "kuscia_app_image.sf.name", `"client"`
	apart := image("client") + strings.ReplaceAll(s.String(), "kuscia_app_image.sf.name", quote(name))
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             e.CheckServingDestroyed(s.servingID()),
		Steps: []resource.TestStep{
			{Config: e.ProviderConfig() + image("client") + s.String()},
			{
				PreConfig: e.Do(func(ctx context.Context, api *kuscia.Client) error {
					found, err := api.QueryAppImage(ctx, name)
					if err != nil {
						return err
					}
					found.DeployTemplates[0].Role = "server"
					return api.UpdateAppImage(ctx, &kuscia.UpdateAppImageRequest{Name: found.Name, Image: found.Image, DeployTemplates: found.DeployTemplates})
				}),
				Config: e.ProviderConfig() + apart,
			},
		},
	})
}

// TestAccServing_appImageRecreated: a deleted app image of the same
// configuration is planned as a create, and the serving does not change.
func TestAccServing_appImageRecreated(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	e := newEnv(t)
	id, image := e.Name("recreated"), e.Name("recreated-image")
	variables := config.Variables{"serving_id": config.StringVariable(id), "app_image": config.StringVariable(image)}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             all(e.CheckServingDestroyed(id), e.CheckAppImageDestroyed(image)),
		Steps: []resource.TestStep{
			{ConfigFile: acctest.File("two_parties.tf"), ConfigVariables: variables},
			{
				PreConfig:  e.Do(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteAppImage(ctx, image) }),
				ConfigFile: acctest.File("two_parties.tf"), ConfigVariables: variables,
				ConfigPlanChecks: preApply(
					plancheck.ExpectResourceAction("kuscia_app_image.test", plancheck.ResourceActionCreate),
					plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionNoop),
				),
			},
		},
	})
}
