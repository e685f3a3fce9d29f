package kuscia

import (
	"context"
	"maps"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
)

// newDomainLoop is Kuscia's controller of domains, as far as the API server shows it: it
// makes the namespace of a domain, which remains when the domain is deleted.
func (c *Controller) newDomainLoop() *controller.Loop {
	loop := controller.NewLoop("domains", c.reconcileDomain)
	loop.Watch(c.objects.Informer(Domains.Resource), func(object any) []string {
		key, err := cache.MetaNamespaceKeyFunc(object)
		if err != nil {
			return nil
		}
		return []string{key}
	})
	return loop
}

func (c *Controller) reconcileDomain(ctx context.Context, name string) (time.Duration, error) {
	if c.ended.Load() {
		return 0, nil
	}
	domain, err := Domains.Cached(c.objects, "", name)
	if err != nil {
		return 0, err
	}
	namespace, err := kubernetes.Namespaces.Live(ctx, c.objects, "", name)
	switch {
	case err != nil:
		return 0, err
	case namespace == nil && (domain == nil || strings.Contains(name, ".")): // no name of a namespace has a dot
		return 0, nil
	case namespace == nil:
		_, err = kubernetes.Namespaces.Create(ctx, c.objects, &core.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: objects.LabelNamespace(domain, nil)}})
		return 0, err
	}
	labels := objects.LabelNamespace(domain, namespace.Labels)
	if maps.Equal(labels, namespace.Labels) {
		return 0, nil
	}
	namespace.Labels = labels
	_, err = kubernetes.Namespaces.Update(ctx, c.objects, namespace)
	return 0, err
}
