package serving_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/kusciaapi"
)

// TestAccServing_disappears: a serving that was deleted is planned anew; one
// whose app image was deleted keeps its state and can be changed.
func TestAccServing_disappears(t *testing.T) {
	e := newEnv(t)
	image, lost := e.AppImage(), e.AppImage()
	gone, orphan, restless := alone(e, "gone", image), alone(e, "orphan", lost), alone(e, "restless", lost)
	moved := restless.with(func(s *servingHCL) { s.parties[0].image = quote(image) })
	servings := []servingHCL{gone, orphan, restless}

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, servings),
		Steps: []resource.TestStep{
			{Config: join(servings)},
			{
				PreConfig: e.Do(func(ctx context.Context, api *kusciaapi.Client) error {
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
					expectChanges(moved.address(), "parties[0].app_image"),
				),
				Check: all(
					server(e, gone.servingID(), func(*kusciaapi.Serving) error { return nil }),
					server(e, moved.servingID(), func(s *kusciaapi.Serving) error { return expect("app_image", s.Parties[0].AppImage, image) }),
				),
			},
		},
	})
}

// TestAccServing_appImageRecreated: an app image of the same configuration that
// was deleted is planned anew, and the serving is left alone.
func TestAccServing_appImageRecreated(t *testing.T) {
	e := newEnv(t)
	id, image := e.Name("recreated"), e.Name("recreated-image")
	variables := config.Variables{"serving_id": config.StringVariable(id), "app_image": config.StringVariable(image)}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             all(e.CheckServingDestroyed(id), e.CheckAppImageDestroyed(image)),
		Steps: []resource.TestStep{
			{ConfigFile: acctest.File("two_parties.tf"), ConfigVariables: variables},
			{
				PreConfig:  e.Do(func(ctx context.Context, api *kusciaapi.Client) error { return api.DeleteAppImage(ctx, image) }),
				ConfigFile: acctest.File("two_parties.tf"), ConfigVariables: variables,
				ConfigPlanChecks: preApply(
					plancheck.ExpectResourceAction("kuscia_app_image.test", plancheck.ResourceActionCreate),
					plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionNoop),
				),
			},
		},
	})
}
