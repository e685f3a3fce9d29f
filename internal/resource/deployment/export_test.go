package deployment

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// What the tests in the other package use.
var (
	Served     crud.Shortcuts = kusciaDeployment
	Resource                  = kusciaDeployment.NewResource
	Definition                = kusciaDeployment.Definition
)

// Retry is one retry by a wait that sent nothing before it.
func Retry(ctx context.Context, client *kube.Client, name string, seen *rolloutstatus.Status) {
	(&rolloutWait{Watched: crud.Watched[object]{ID: crud.ID{name}, Resumed: true}, client: client}).retry(ctx, seen)
}

func issues(config definition.Value) []check.Issue { return kusciaDeployment.Issues(config) }

func reader(value definition.Value) definition.Reader {
	root, _ := definition.Read(value, definition.Value{})
	return root
}

// request is the object that is sent for a plan.
func request(planned definition.Value, live *unstructured.Unstructured) *unstructured.Unstructured {
	return toObject(reader(kusciaDeployment.Definition.Sendable(planned)), live)
}
