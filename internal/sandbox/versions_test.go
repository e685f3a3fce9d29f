package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
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

// TestDomainUpdates: before v0.12 an update replaces the whole domain. Since then it keeps what the
// request does not contain, and another role sets the protocols.
func TestDomainUpdates(t *testing.T) {
	for version, keeps := range map[string]bool{"v0.11.0b0": false, "v0.12.0b0": true, "v1.1.0b0": true} {
		s := frozen(t, Options{Version: version})
		update := func(role, method string) objects.Domain {
			_, text := send(t, s, http.MethodPost, server.APIPrefix+"domain/update", `{"domain_id":"alice","role":"`+role+`","auth_center":{"authentication_type":"Token","token_gen_method":"`+method+`"}}`)
			if !strings.Contains(text, `"success"`) {
				t.Fatal(text)
			}
			var found objects.Domain
			must(t, Edit(s, "", "alice", func(d *objects.Domain) { found = *d }))
			return found
		}
		must(t, Edit(s, "", "alice", func(d *objects.Domain) {
			d.Spec.ResourceQuota, d.Spec.InterConnProtocols = map[string]any{"podMaxCount": 3}, []string{"bfia"}
			d.Annotations = map[string]string{"ticket": "4711"}
		}))
		d := update("", "UID-RSA-GEN")
		if got := []bool{d.Spec.ResourceQuota != nil, d.Spec.InterConnProtocols != nil, d.Annotations != nil}; !slices.Equal(got, []bool{keeps, keeps, keeps}) {
			t.Errorf("%s: quota, protocols and annotations are kept: %v", version, got)
		}
		if d := update("partner", "UID-RSA-GEN"); (len(d.Spec.InterConnProtocols) == 1 && d.Spec.InterConnProtocols[0] == "kuscia") != keeps {
			t.Errorf("%s: a partner has the protocols %q", version, d.Spec.InterConnProtocols)
		}
		if d := update("", "UID-RSA-GEN"); d.Spec.InterConnProtocols != nil {
			t.Errorf("%s: no partner has the protocols %q", version, d.Spec.InterConnProtocols)
		}
	}
}
