package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

type m = map[string]any

// TestStateSurvivesARestart restores objects of each kind after a restart: the responses to
// queries are the same, references still work, what was deleted leaves nothing, and the
// certificates and the token are those of before.
func TestStateSurvivesARestart(t *testing.T) {
	options := Options{StateFile: filepath.Join(t.TempDir(), "state.json"), FrozenClock: true, Autonomy: "alice", StaleConfig: -1, Protocol: ProtocolTLS, CertsDir: t.TempDir()}
	grant, data := m{"domain_id": "alice", "domaindatagrant_id": "grant"}, m{"data": m{"domain_id": "alice", "domaindata_id": "data"}}
	queries := map[string]m{
		"domain/query": {"domain_id": "bob"}, "route/query": {"source": "alice", "destination": "bob"}, "config/query": {"key": "k"},
		"domaindata/query": data, "domaindatagrant/query": grant, "domaindatasource/query": {"domain_id": "alice", "datasource_id": kuscia.DefaultDataSource},
		"appimage/query": {"name": imageV1}, "serving/query": {"serving_id": "kept"},
	}
	all := func(s *Sandbox) map[string]string {
		s.Advance(10 * time.Second)
		responses := map[string]string{}
		for op, request := range queries {
			response := ask(s, op, request)
			must(t, response.err())
			value, err := normalise(response.Data)
			must(t, err)
			responses[op] = fmt.Sprint(value, response.Value)
		}
		ca, err := os.ReadFile(filepath.Join(s.CertsDir(), server.FileCA))
		must(t, err)
		responses["certificates"] = s.Token() + string(ca)
		return responses
	}
	first, err := Start(t.Context(), options)
	must(t, err)
	putImages(t, first, fixtureImages(t))
	for op, request := range map[string]m{
		"route/create": {
			"source": "alice", "destination": "bob", "authentication_type": "Token", "endpoint": m{"ports": []m{{"name": "http", "port": 1080, "protocol": "HTTPS"}}},
		},
		"config/create":     {"data": []m{{"key": "k", "value": "v"}}},
		"domaindata/create": {"domain_id": "alice", "domaindata_id": "data", "type": "table", "relative_uri": "a", "columns": []m{{"name": "id", "type": "str"}}},
	} {
		must(t, ask(first, op, request).err())
	}
	must(t, ask(first, "domaindatagrant/create", m{"domain_id": "alice", "domaindatagrant_id": "grant", "domaindata_id": "data", "grant_domain": "bob"}).err())
	full := party("bob", imageRoles, 2)
	full.Role, full.Resources = "server", []kuscia.Resource{{MinCPU: "0.5"}}
	put(t, first, "kept", party("alice", imageV1, 1), full)
	put(t, first, "gone", party("alice", imageV1, 1))
	first.Advance(10 * time.Second)
	must(t, first.RemoveServing("gone"))
	want := all(first)
	must(t, first.Close())

	second, err := Start(t.Context(), options)
	must(t, err)
	defer func() { must(t, second.Close()) }()
	for op, have := range all(second) {
		if have != want[op] {
			t.Errorf("%s after the restart\n%s\nbefore\n%s", op, have, want[op])
		}
	}
	if second.ServingExists("gone") {
		t.Error("a deleted serving came back")
	}
	put(t, second, "gone", party("alice", imageV1, 1)) // its leftovers were removed
	update(t, second, "kept", party("alice", "", 3))
	must(t, ask(second, "domaindata/delete", m{"domain_id": "alice", "domaindata_id": "data"}).err())
	second.Advance(10 * time.Second)
	if status := statusOf(second, "kept"); status.State != kuscia.StateAvailable {
		t.Errorf("update after the restart: %+v", status)
	}
	if ask(second, "domaindatagrant/query", grant).err() == nil {
		t.Error("the grant of deleted data is there")
	}
}

// TestStateOfAnotherForm: servings of another form are refused, and not dropped.
func TestStateOfAnotherForm(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.json")
	for _, saved := range []string{`{"servings": [{"id": "a"}]}`, `{"cluster": {"services": [{"owner": "a"}]}}`} {
		must(t, os.WriteFile(file, []byte(`{"objects": `+saved+`}`), 0o600))
		_, err := Start(t.Context(), Options{StateFile: file})
		if err == nil || !strings.Contains(err.Error(), "unknown field") {
			t.Errorf("%s: %v", saved, err)
		}
	}
}
