package provider_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/bounded"
)

// TestStatusWithAndWithoutShortcut: for any response of Kuscia, the status data
// source is the same with and without the wrapper, and sends the same requests.
func TestStatusWithAndWithoutShortcut(t *testing.T) {
	const path = "/api/v1/serving/status/batchQuery"
	box, _ := sandboxtest.Start(t, sandbox.Options{})
	build, none := provider.Build{Version: "test"}, provider.WithEnvironment(func(string) string { return "" })
	bare := providerserver.NewProtocol6(provider.New(build, none)())()
	wrapped := provider.NewServer(build, true, none)()
	configure(t, bare, box)
	configure(t, wrapped, box)
	schemas, err := bare.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	kind := schemas.DataSourceSchemas["kuscia_serving_status"].ValueType()

	rapid.Check(t, func(rt *rapid.T) {
		box.ClearFaults()
		box.Inject(drawStatusFault(rt))
		ids := rapid.SliceOfN(rapid.SampledFrom([]any{"a", "b", "c", "d", nil, protocol.Unknown{}}), 0, 5).Draw(rt, "ids")
		config := protocol.Encode(protocol.Value(kind, map[string]any{"serving_ids": ids}))
		read := func(server tfprotov6.ProviderServer) (*tfprotov6.ReadDataSourceResponse, int) {
			before := box.Count(path)
			response, err := server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: "kuscia_serving_status", Config: config})
			if err != nil {
				rt.Fatal(err)
			}
			response.Diagnostics = bounded.Diagnostics(response.Diagnostics)
			return response, box.Count(path) - before
		}
		want, wantRequests := read(bare)
		got, requests := read(wrapped)
		if requests != wantRequests {
			rt.Errorf("%d requests, want %d", requests, wantRequests)
		}
		if len(got.Diagnostics)+len(want.Diagnostics) > 0 {
			if !reflect.DeepEqual(got.Diagnostics, want.Diagnostics) {
				rt.Errorf("diagnostics %+v, want %+v", got.Diagnostics, want.Diagnostics)
			}
			return
		}
		a, err := got.State.Unmarshal(kind)
		if err != nil {
			rt.Fatal(err)
		}
		b, err := want.State.Unmarshal(kind)
		if err != nil {
			rt.Fatal(err)
		}
		if !a.Equal(b) {
			rt.Errorf("read\n%s\nwant\n%s", a, b)
		}
	})
}

// drawStatusFault generates a response to a batch status request, or a
// failure.
func drawStatusFault(t *rapid.T) sandbox.Fault {
	fault := sandbox.Fault{Path: "serving/status/batchQuery", Times: sandbox.Always}
	if rapid.IntRange(0, 4).Draw(t, "failure") == 0 {
		fault.Kind, fault.Code, fault.Message = sandbox.FaultCode, 11404, "something is wrong"
		return fault
	}
	text := rapid.SampledFrom([]string{"", "x", "Available", "Progressing", "2006-01-02T15:04:05Z", "<é>"})
	number := rapid.Int32Range(0, 300)
	party := rapid.Custom(func(t *rapid.T) kuscia.PartyStatus {
		return kuscia.PartyStatus{
			DomainID: text.Draw(t, "domain"), Role: text.Draw(t, "role"), State: text.Draw(t, "state"),
			Replicas: number.Draw(t, "replicas"), AvailableReplicas: number.Draw(t, "available"),
			UnavailableReplicas: number.Draw(t, "unavailable"), UpdatedReplicas: number.Draw(t, "updated"),
			CreateTime: text.Draw(t, "created"),
			Endpoints: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) kuscia.Endpoint {
				return kuscia.Endpoint{PortName: text.Draw(t, "port"), Scope: text.Draw(t, "scope"), Endpoint: text.Draw(t, "address")}
			}), 0, 3).Draw(t, "endpoints"),
		}
	})
	status := rapid.Custom(func(t *rapid.T) kuscia.ServingStatus {
		one := kuscia.ServingStatus{ServingID: rapid.SampledFrom([]string{"a", "b", "c", "other"}).Draw(t, "id")}
		if rapid.Bool().Draw(t, "deployed") {
			one.Status = &kuscia.ServingStatusDetail{
				State: text.Draw(t, "state"), Reason: text.Draw(t, "reason"), Message: text.Draw(t, "message"),
				TotalParties: number.Draw(t, "total"), AvailableParties: number.Draw(t, "available"), CreateTime: text.Draw(t, "created"),
				PartyStatuses: rapid.SliceOfN(party, 0, 3).Draw(t, "parties"),
			}
		}
		return one
	})
	body, err := json.Marshal(map[string]any{
		"status": map[string]any{"code": 0, "message": "success"},
		"data":   map[string]any{"servings": rapid.SliceOfN(status, 0, 4).Draw(t, "servings")},
	})
	if err != nil {
		t.Fatal(err)
	}
	fault.Kind, fault.Body = sandbox.FaultBody, string(body)
	return fault
}
