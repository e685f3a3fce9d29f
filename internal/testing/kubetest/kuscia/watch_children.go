package kuscia

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
)

// watchChildren reconciles a KusciaDeployment when one of its objects changes.
// Which events count depends on the kind, and on whether the KusciaDeployment
// exists: without it, only what is created or changed is deleted.
func (c *Controller) watchChildren() {
	always := func(bool) bool { return true }
	existing := func(exists bool) bool { return exists }
	orphaned := func(exists bool) bool { return !exists }
	c.watchChild(kubernetes.Deployments.Watched(c.objects), always, always, existing)
	c.watchChild(kubernetes.Services.Watched(c.objects), orphaned, orphaned, existing)
	c.watchChild(kubernetes.ConfigMaps.Watched(c.objects), orphaned, orphaned, existing)
	c.watchChild(kubernetes.Pods.Watched(c.objects), nil, always, nil)
}

// watchChild watches a kind. The functions report whether an event counts; one
// that is nil never does.
func (c *Controller) watchChild(informer cache.SharedIndexInformer, added, updated, deleted func(exists bool) bool) {
	on := func(counts func(exists bool) bool) func(object any) {
		return func(object any) {
			meta, ok := controller.Last(object).(metav1.Object)
			if !ok || counts == nil {
				return
			}
			namespace, name := meta.GetLabels()[objects.LabelOwnerNamespace], meta.GetLabels()[objects.LabelName]
			if name == "" || namespace == "" && c.namespace() != "" {
				return
			}
			kd, err := Deployments.Cached(c.objects, namespace, name)
			if err == nil && counts(kd != nil) {
				c.Add(cache.NewObjectName(namespace, name).String())
			}
		}
	}
	update := on(updated)
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: on(added), DeleteFunc: on(deleted), UpdateFunc: func(_, object any) { update(object) },
	})
}
