package provider_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// BenchmarkStatus reads the status data source with 1000 servings, and makes
// the same requests without it for comparison.
func BenchmarkStatus(b *testing.B) {
	const servings, chunk = 1000, 200
	box, _ := sandboxtest.Start(b, sandbox.Options{Timing: sandbox.QuickTiming()})
	if err := box.PutAppImage(kuscia.AppImage{
		Name: "app", Image: kuscia.AppImageInfo{Name: "example.com/app", Tag: "1"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{
			Name: "app", Ports: []kuscia.ContainerPort{{Name: "http", Protocol: "HTTP", Scope: "Cluster"}},
		}}}},
	}); err != nil {
		b.Fatal(err)
	}
	ids := make([]string, servings)
	for i := range ids {
		ids[i] = fmt.Sprintf("s-%d", i)
		post(b, box, "create", fmt.Sprintf(`{"serving_id":%q,"serving_input_config":"{}","initiator":"alice","parties":[{"domain_id":"alice","app_image":"app"},{"domain_id":"bob","app_image":"app"}]}`, ids[i]))
	}

	server := provider.NewServer(provider.Build{Version: "bench"}, true, provider.WithEnvironment(func(string) string { return "" }))()
	configure(b, server, box)
	schemas, err := server.GetProviderSchema(b.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		b.Fatal(err)
	}
	asked := make([]any, servings)
	for i, id := range ids {
		asked[i] = id
	}
	config := protocol.Encode(protocol.Value(schemas.DataSourceSchemas["kuscia_serving_status"].ValueType(), map[string]any{"serving_ids": asked}))

	b.Run("data source", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			response, err := server.ReadDataSource(b.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: "kuscia_serving_status", Config: config})
			protocol.Check(b, err, response.Diagnostics)
		}
	})
	b.Run("requests alone", func(b *testing.B) {
		for b.Loop() {
			for some := range slices.Chunk(ids, chunk) {
				post(b, box, "status/batchQuery", `{"serving_ids":["`+strings.Join(some, `","`)+`"]}`)
			}
		}
	})
}

// post calls the serving API and reads only the beginning of the response.
func post(b *testing.B, box *sandbox.Sandbox, path, body string) {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, box.Endpoint()+"/api/v1/serving/"+path, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	request.Header.Set("Token", box.Token())
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil || !bytes.Contains(text, []byte(`"code":0`)) {
		b.Fatalf("%v: %s", err, text)
	}
}
