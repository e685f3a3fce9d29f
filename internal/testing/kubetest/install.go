package kubetest

import (
	"context"
	"time"

	core "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kuscia"
)

const installTimeout = time.Minute

// install creates the CustomResourceDefinitions and waits until each kind can
// be listed.
func install(ctx context.Context, config *rest.Config, definitions []*apiextensions.CustomResourceDefinition) error {
	client, err := apiextensionsclient.NewForConfig(config)
	if err != nil {
		return err
	}
	for _, definition := range definitions {
		if _, err := client.ApiextensionsV1().CustomResourceDefinitions().Create(ctx, definition, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	for _, definition := range definitions {
		for _, version := range definition.Spec.Versions {
			resource := schema.GroupVersionResource{Group: definition.Spec.Group, Version: version.Name, Resource: definition.Spec.Names.Plural}
			err := wait.PollUntilContextTimeout(ctx, 5*time.Millisecond, installTimeout, true, func(ctx context.Context) (bool, error) {
				_, err := objects.Resource(resource).List(ctx, metav1.ListOptions{Limit: 1})
				if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsServiceUnavailable(err) {
					return false, err
				}
				return err == nil, nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// prepare creates the objects that every cluster with Kuscia has.
func prepare(ctx context.Context, config *rest.Config, options Options) error {
	client, err := controller.NewObjects(config, nil)
	if err != nil {
		return err
	}
	namespaces := append([]string{"default", "kube-system"}, options.Domains...)
	if options.Version.Has(versions.NamespacedDeployments) {
		namespaces = append(namespaces, objects.CrossDomain)
	}
	for _, name := range namespaces {
		if _, err := kubernetes.Namespaces.Create(ctx, client, &core.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
			return err
		}
	}
	for _, name := range options.Domains {
		if _, err := kuscia.Domains.Create(ctx, client, &objects.Domain{
			Meta: objects.Meta{Name: name}, Spec: objects.DomainSpec{AuthCenter: &objects.AuthCenter{AuthenticationType: "Token", TokenGenMethod: "RSA-GEN"}},
		}); err != nil {
			return err
		}
	}
	return nil
}
