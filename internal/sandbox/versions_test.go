package sandbox

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
)

func TestVersions(t *testing.T) {
	create := func(extra string) string {
		return `{"serving_id":"v","initiator":"alice","affinity_mode":"none","parties":[{"domain_id":"alice","app_image":"` + imageV1 + `","service_name_prefix":"pre"}]` + extra + `}`
	}
	const withConfig = `,"serving_input_config":"c"`
	for version, want := range map[string]struct {
		appImages, list, configOptional, skipsUnknown, prefix, affinity, endpointNames bool
		strategyCode                                                                   int32
	}{
		"v0.4.0b0":             {strategyCode: server.CodeValidate},
		"v0.11.0b0":            {strategyCode: serving.CodeCreateServing, endpointNames: true, configOptional: true, skipsUnknown: true, prefix: true},
		"v1.0.0b0":             {strategyCode: serving.CodeCreateServing, endpointNames: true, configOptional: true, skipsUnknown: true, prefix: true, appImages: true, list: true},
		"v1.1.0b0-6-ge909d9f6": {strategyCode: serving.CodeCreateServing, endpointNames: true, configOptional: true, skipsUnknown: true, prefix: true, appImages: true, list: true, affinity: true},
	} {
		t.Run(version, func(t *testing.T) {
			s := frozen(t, Options{Version: version})
			send := func(path, body string) (int, responseText) {
				response, text, err := post(s, path, body, 5*time.Second)
				must(t, err)
				return response.StatusCode, readResponse(text)
			}
			found := func(path string) bool {
				status, _ := send(server.APIPrefix+path, `{"name":"`+imageV1+`"}`)
				return status == http.StatusOK
			}
			if have := found("appimage/query"); have != want.appImages {
				t.Errorf("app images: %t", have)
			}
			if have := found("appimage/list"); have != want.list {
				t.Errorf("list of app images: %t", have)
			}
			_, without := send(server.APIPrefix+"serving/create", create(""))
			if have := without.Status.Code == 0; have != want.configOptional {
				t.Errorf("configuration optional: %+v", without.Status)
			}
			if !want.configOptional {
				if _, with := send(server.APIPrefix+"serving/create", create(withConfig)); with.Status.Code != 0 {
					t.Fatalf("create: %+v", with.Status)
				}
			}
			s.Advance(5 * time.Second)
			_, unknown := send(server.APIPrefix+"serving/status/batchQuery", `{"serving_ids":["v","nope"]}`)
			if have := unknown.Status.Code == 0; have != want.skipsUnknown || (!have && unknown.Status.Code != serving.CodeServingStatus) {
				t.Errorf("status with an unknown id: %+v", unknown.Status)
			}
			spec, err := s.Serving("v")
			must(t, err)
			if have := spec.Parties[0].ServiceNamePrefix != ""; have != want.prefix {
				t.Errorf("prefix stored: %t", have)
			}
			if have := spec.AffinityMode != ""; have != want.affinity {
				t.Errorf("affinity mode stored: %t", have)
			}
			_, known := send(server.APIPrefix+"serving/status/batchQuery", `{"serving_ids":["v"]}`)
			if have := strings.Contains(known.text, `"port_name"`); have != want.endpointNames || !strings.Contains(known.text, `"endpoint":`) {
				t.Errorf("endpoints: %s", known.text)
			}
			bad := strings.Replace(create(withConfig), `"service_name_prefix":"pre"`, `"update_strategy":{"type":"Nope"}`, 1)
			bad = strings.Replace(bad, `"v"`, `"w"`, 1)
			if _, strategy := send(server.APIPrefix+"serving/create", bad); strategy.Status.Code != want.strategyCode {
				t.Errorf("bad strategy: %+v", strategy.Status)
			}
		})
	}
}

// responseText is a decoded response with its text.
type responseText struct {
	Status kuscia.Status `json:"status"`
	text   string
}

func readResponse(text []byte) responseText {
	a := responseText{text: string(text)}
	_ = json.Unmarshal(text, &a) // a body that is not JSON has no status
	return a
}
