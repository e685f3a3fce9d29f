package deployment

import (
	"context"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// What the tests in the other package use.
var (
	Served     crud.Shortcuts = shortcuts{&kind}
	Definition                = deployment
)

// Retry is one retry by a wait that sent nothing before it.
func Retry(ctx context.Context, client *kube.Client, name string, seen *rolloutstatus.Status) {
	(&rolloutWait{client: client, name: name, resumed: true}).retry(ctx, seen)
}
