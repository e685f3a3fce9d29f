package server

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

func TestBinding(t *testing.T) {
	read := func(body string) (kuscia.CreateServingRequest, error) {
		var request kuscia.CreateServingRequest
		err := bindRequest("application/json", []byte(body), &request)
		return request, err
	}
	for name, body := range map[string]string{
		"camel case":     `{"servingId":"a","parties":[{"domainId":"alice","replicas":2}]}`,
		"number as text": `{"serving_id":"a","parties":[{"domain_id":"alice","replicas":"2"}]}`,
		"zero fraction":  `{"serving_id":"a","parties":[{"domain_id":"alice","replicas":2.0}]}`,
		"unknown fields": `{"serving_id":"a","parties":[{"domain_id":"alice","replicas":2,"x":{}}],"y":[1]}`,
		"nulls":          `{"serving_id":"a","initiator":null,"parties":[{"domain_id":"alice","replicas":2,"update_strategy":null}]}`,
	} {
		request, err := read(body)
		if err != nil || request.ServingID != "a" || len(request.Parties) != 1 ||
			request.Parties[0].DomainID != "alice" || *request.Parties[0].Replicas != 2 || request.Parties[0].UpdateStrategy != nil {
			t.Errorf("%s: %+v, %v", name, request, err)
		}
	}
}

func FuzzBinding(f *testing.F) {
	f.Add([]byte(`{"serving_id":"a","parties":[{"replicas":"2","resources":[{}]}]}`))
	f.Add([]byte(`{"config_templates":{"a":null},"deploy_templates":[{"containers":[{"liveness_probe":{}}]}]}`))
	f.Fuzz(func(_ *testing.T, body []byte) {
		_ = bindRequest("", body, new(kuscia.CreateServingRequest))
		_ = bindRequest("", body, new(kuscia.UpdateAppImageRequest))
	})
}
