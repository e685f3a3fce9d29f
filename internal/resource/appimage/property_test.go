package appimage

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// configs generates configurations. With unknowns, any part may be unknown.
func configs(unknowns bool) definitiontest.Generator {
	quantities := []string{"", "0", "0.1", "100m", "1", "1000m", "1Gi", "1024Mi", "1.5Gi", "1536Mi", "128974848000m", "129e6"}
	return definitiontest.Generator{
		Definition: appImage.Definition, Fixed: tree{"name": "app"}, Keys: []string{"a.conf", "b.conf"}, Unknowns: unknowns,
		Texts: map[string][]string{
			"protocol": {"", "HTTP", "GRPC"}, "scope": {"", "Local", "Domain"}, "cpu": quantities, "memory": quantities,
		},
	}
}

// FuzzResponse: any response can be read without a panic, and the result is
// stable.
func FuzzResponse(f *testing.F) {
	f.Add([]byte(`{"name":"a","deploy_templates":[{"name":"t","containers":[{"name":"c","resources":{"limits":{"cpu":"100m"}},"liveness_probe":{}}]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		image, err := decodeImage(body)
		if err != nil {
			t.Skip("not a response")
		}
		state := refreshed(answered(image), none())
		if again := refreshed(answered(image), state); !again.Equal(state) {
			t.Error("two reads of the same response differ")
		}
		_ = appImage.Issues(state)
		if request, diags := createRequest(state); diags.HasError() {
			t.Error(diags)
		} else if len(appImage.Definition.Differences(definitionOf(state), answered(request))) > 0 {
			t.Error("the request differs from the response")
		}
	})
}
