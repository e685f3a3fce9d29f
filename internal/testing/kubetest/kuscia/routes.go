package kuscia

import (
	"context"
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
)

// newRouteLoop is what Kuscia's controller of routes does to the controllers here: in old versions
// a route without a token configuration ends all. The rest of it is in the sandbox.
func (c *Controller) newRouteLoop() *controller.Loop {
	loop := controller.NewLoop("routes", c.reconcileRoute)
	if c.version.Has(versions.RouteWithoutToken) {
		return loop
	}
	loop.Watch(c.objects.Informer(Routes.Resource), func(object any) []string {
		key, err := cache.MetaNamespaceKeyFunc(object)
		if err != nil {
			return nil
		}
		return []string{key}
	})
	return loop
}

func (c *Controller) reconcileRoute(_ context.Context, name string) (time.Duration, error) {
	route, err := Routes.Cached(c.objects, "", name)
	if err == nil && route != nil && route.Spec.TokenConfig == nil {
		c.ended.Store(true)
	}
	return 0, err
}
