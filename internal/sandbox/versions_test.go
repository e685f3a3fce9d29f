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

// TestVersions: what a Kuscia of each version has.
func TestVersions(t *testing.T) {
	const old, middle = "strategy is validated", "no configuration needed, unknown ids skipped, prefix stored, "
	for version, want := range map[string]string{
		"v0.4.0b0":             old,
		"v0.10.0b0":            old + ", names of endpoints",
		"v0.11.0b0":            middle + "names of endpoints",
		"v1.0.0b0":             "appimage/query, appimage/list, " + middle + "names of endpoints",
		"v1.1.0b0-6-ge909d9f6": "appimage/query, appimage/list, " + middle + "affinity stored, names of endpoints",
	} {
		s := frozen(t, Options{Version: version})
		request := func(op, body string) (httpStatus int, status kuscia.Status, text string) {
			httpStatus, text = send(t, s, http.MethodPost, server.APIPrefix+op, body)
			var decoded struct{ Status kuscia.Status }
			_ = json.Unmarshal([]byte(text), &decoded) // a body that is not JSON has no status
			return httpStatus, decoded.Status, text
		}
		var have []string
		note := func(what string, has bool) {
			if has {
				have = append(have, what)
			}
		}
		for _, op := range []string{"appimage/query", "appimage/list"} {
			status, _, _ := request(op, `{"name":"`+imageV1+`"}`)
			note(op, status == http.StatusOK)
		}
		create := func(id, party, config string) kuscia.Status {
			_, status, _ := request("serving/create", `{"serving_id":"`+id+`","initiator":"alice","affinity_mode":"none","parties":[{"domain_id":"alice","app_image":"`+imageV1+`",`+party+`}]`+config+`}`)
			return status
		}
		const prefix, config = `"service_name_prefix":"pre"`, `,"serving_input_config":"c"`
		note(old, create("w", `"update_strategy":{"type":"Nope"}`, config).Code == server.CodeValidate)
		optional := create("v", prefix, "").Code == 0
		note("no configuration needed", optional)
		if !optional && create("v", prefix, config).Code != 0 {
			t.Errorf("%s: no serving can be created", version)
			continue
		}
		s.Advance(5 * time.Second)
		_, unknown, _ := request("serving/status/batchQuery", `{"serving_ids":["v","nope"]}`)
		note("unknown ids skipped", unknown.Code != serving.CodeServingStatus)
		spec, err := s.Serving("v")
		must(t, err)
		note("prefix stored", spec.Parties[0].ServiceNamePrefix != "")
		note("affinity stored", spec.AffinityMode != "")
		_, _, known := request("serving/status/batchQuery", `{"serving_ids":["v"]}`)
		note("names of endpoints", strings.Contains(known, `"port_name"`))
		if got := strings.Join(have, ", "); got != want {
			t.Errorf("%s has %s, want %s", version, got, want)
		}
	}
}
