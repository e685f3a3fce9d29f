package server

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// FuzzBinding: any body is bound or refused. The recordings have the rules.
func FuzzBinding(f *testing.F) {
	f.Add([]byte(`{"serving_id":"a","parties":[{"replicas":"2","resources":[{}]}]}`))
	f.Add([]byte(`{"config_templates":{"a":null},"deploy_templates":[{"containers":[{"liveness_probe":{}}]}]}`))
	f.Fuzz(func(_ *testing.T, body []byte) {
		_ = bindRequest("", body, new(kuscia.CreateServingRequest))
		_ = bindRequest("", body, new(kuscia.UpdateAppImageRequest))
	})
}
