package sandbox

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// twoWays is an object of the KusciaAPI, which is a custom resource of an API server.
type twoWays[T any] struct {
	at              *Sandbox
	name            string // of the object in operations
	key, query, own m      // own are the other fields of a create
	namespace, id   string
	stored          func(*T) bool // what the create stores and no recording has
	edit            func(*T)      // by another client
	field           string        // its result in the response to the query
	want            any
	missing         int32 // the code for an object that does not exist
}

// TestTwoWays: for each kind, what is done through the KusciaAPI shows at once as a custom
// resource, and what is done on the custom resource shows at once in the KusciaAPI.
func TestTwoWays(t *testing.T) {
	api := apiServer(t).Objects()
	master := startSandbox(t, Options{StaleConfig: -1, API: api})
	clean := api.Record()
	t.Cleanup(func() { must(t, clean()) })
	must(t, ask(master, "domain/create", m{"domain_id": "carol"}).err())
	node := startSandbox(t, Options{Lite: "carol", Master: master, StaleConfig: -1})
	putImages(t, master, fixtureImages(t))
	must(t, ask(master, "domaindata/create", m{"domain_id": "carol", "domaindata_id": "granted", "type": "table", "relative_uri": "a"}).err())
	for _, test := range []interface {
		check(t *testing.T, api objects.API)
	}{
		twoWays[objects.Domain]{
			at: master, name: "domain", key: m{"domain_id": "dave"}, own: m{"role": "partner"}, id: "dave",
			edit: func(d *objects.Domain) { d.Spec.Role = "" }, field: "role", want: "", missing: 11305,
		},
		twoWays[objects.ClusterDomainRoute]{
			at: master, name: "route", key: m{"source": "alice", "destination": "bob"}, id: "alice-bob",
			own:   m{"authentication_type": "Token", "endpoint": m{"host": "gateway", "ports": []m{{"name": "http", "port": 1080, "protocol": "HTTPS"}}}},
			edit:  func(r *objects.ClusterDomainRoute) { r.Spec.Endpoint.Host = "other" },
			field: "endpoint.host", want: "other", missing: 11404,
		},
		twoWays[objects.DomainData]{
			at: master, name: "domaindata", key: m{"domain_id": "carol", "domaindata_id": "d"}, query: m{"data": m{"domain_id": "carol", "domaindata_id": "d"}},
			own: m{"type": "table", "relative_uri": "/a.csv", "file_format": "CSV"}, namespace: "carol", id: "d",
			edit: func(d *objects.DomainData) { d.Spec.FileFormat = "binary" }, field: "file_format", want: "BINARY", missing: 11506,
		},
		twoWays[objects.DomainDataSource]{
			at: node, name: "domaindatasource", key: m{"domain_id": "carol", "datasource_id": "s"}, namespace: "carol", id: "s",
			own: m{"type": "oss", "info": m{"oss": m{"endpoint": "e", "bucket": "/b/", "prefix": "p", "access_key_id": "id", "access_key_secret": "pass-word"}}},
			stored: func(s *objects.DomainDataSource) bool {
				return s.Spec.URI == "b/p" && s.Spec.Data[objects.EncryptedInfo] != "" && !strings.Contains(fmt.Sprint(s), "pass-word")
			},
			edit: func(s *objects.DomainDataSource) { s.Spec.Name = "renamed" }, field: "info.oss.access_key_secret", want: "pass-word", missing: 11802,
		},
		twoWays[objects.DomainDataGrant]{
			at: master, name: "domaindatagrant", key: m{"domain_id": "carol", "domaindatagrant_id": "g"}, namespace: "carol", id: "g",
			own:   m{"domaindata_id": "granted", "grant_domain": "alice", "limit": m{"use_count": 3, "expiration_time": "4102444800000000001"}},
			edit:  func(g *objects.DomainDataGrant) { g.Spec.Limit = &objects.GrantLimit{FlowID: "flow"} },
			field: "data.limit.flow_id", want: "flow", missing: 11705,
		},
		twoWays[objects.AppImage]{
			at: master, name: "appimage", key: m{"name": "i"}, id: "i",
			own: m{
				"image":            m{"name": "example/app", "tag": "v1"},
				"deploy_templates": []m{{"name": "t", "replicas": 1, "containers": []m{{"name": "main", "ports": []m{{"name": "http"}}}}}},
			},
			edit: func(i *objects.AppImage) { i.Spec.Image.Tag = "v2" }, field: "image.tag", want: "v2", missing: 13105,
		},
		twoWays[objects.KusciaDeployment]{
			at: master, name: "serving", key: m{"serving_id": "s"}, namespace: objects.CrossDomain, id: "s",
			own:  m{"initiator": "alice", "parties": []kuscia.ServingParty{party("alice", imageV1, 1)}},
			edit: func(kd *objects.KusciaDeployment) { kd.Spec.InputConfig = "{}" }, field: "serving_input_config", want: "{}", missing: 11601,
		},
	} {
		t.Run(fmt.Sprintf("%T", test), func(t *testing.T) { test.check(t, api) })
	}
}

func (w twoWays[T]) check(t *testing.T, api objects.API) {
	other := objects.Remote[T]{API: api}
	query := w.query
	if query == nil {
		query = w.key
	}
	code := func(what string, want int32) {
		t.Helper()
		if got := ask(w.at, w.name+"/query", query).Status; got.Code != want {
			t.Errorf("%s: %d %s, want the code %d", what, got.Code, got.Message, want)
		}
	}
	create := m{}
	for _, fields := range []m{w.key, w.own} {
		for name, value := range fields {
			create[name] = value
		}
	}
	must(t, ask(w.at, w.name+"/create", create).err())
	object, err := other.Get(w.namespace, w.id)
	must(t, err)
	if object == nil || w.stored != nil && !w.stored(object) {
		t.Fatalf("stored is %+v", object)
	}
	eventually(t, "edit", func() error { // a controller may write too
		object, err = other.Get(w.namespace, w.id)
		must(t, err)
		w.edit(object)
		return other.Update(object)
	})
	response := ask(w.at, w.name+"/query", query)
	must(t, response.err())
	var value any
	must(t, json.Unmarshal(response.Data, &value))
	for part := range strings.SplitSeq(w.field, ".") {
		value = value.(m)[part]
	}
	if !reflect.DeepEqual(value, w.want) {
		t.Errorf("%s is %v after an edit by another client, want %v", w.field, value, w.want)
	}
	must(t, other.Delete(w.namespace, w.id))
	code("deleted by another client", w.missing)
	meta := reflect.ValueOf(object).Elem().FieldByName("Meta")
	before := meta.Interface().(objects.Meta)
	meta.Set(reflect.ValueOf(objects.Meta{Namespace: before.Namespace, Name: before.Name, Labels: before.Labels, Annotations: before.Annotations}))
	must(t, other.Create(object))
	code("created by another client", 0)
	must(t, ask(w.at, w.name+"/delete", w.key).err())
	if object, err := other.Get(w.namespace, w.id); object != nil || err != nil {
		t.Errorf("it is there after the delete through the KusciaAPI: %v", err)
	}
}
