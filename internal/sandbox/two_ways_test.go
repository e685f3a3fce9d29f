package sandbox

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/apiserver"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// twoWays are the two APIs of one Kuscia: the KusciaAPI, of a master and the node of carol,
// and that of the custom resources, which is another client of an API server, or the tables
// of a sandbox in memory.
type twoWays struct {
	t            *testing.T
	master, node *Sandbox
	api          objects.API // nil for memory
}

// inMemory has the custom resources of a sandbox.
type inMemory[T any] struct{ w *server.ControlPlane }

func (m inMemory[T]) Get(namespace, name string) (*T, error) {
	defer m.w.Acquire()()
	return server.TableOf[T](m.w).Get(namespace, name), nil
}

func (m inMemory[T]) List(namespace string, labels map[string]string) ([]*T, error) {
	defer m.w.Acquire()()
	return server.TableOf[T](m.w).With(namespace, labels), nil
}

func (m inMemory[T]) Create(object *T) error {
	defer m.w.Acquire()()
	return server.TableOf[T](m.w).Create(object)
}

func (m inMemory[T]) Update(object *T) error {
	defer m.w.Acquire()()
	return server.TableOf[T](m.w).Update(object)
}

func (m inMemory[T]) UpdateStatus(object *T) error {
	defer m.w.Acquire()()
	return server.TableOf[T](m.w).UpdateStatus(object)
}

func (m inMemory[T]) Delete(namespace, name string) error {
	defer m.w.Acquire()()
	return server.TableOf[T](m.w).Delete(namespace, name)
}

// other is the API of the custom resources.
func other[T any](w twoWays) objects.Client[T] {
	if w.api != nil {
		return objects.Remote[T]{API: w.api}
	}
	return inMemory[T]{w.master.node.ControlPlane}
}

// stored is a custom resource that exists.
func stored[T any](w twoWays, namespace, name string) *T {
	w.t.Helper()
	object, err := other[T](w).Get(namespace, name)
	must(w.t, err)
	if object == nil {
		w.t.Fatalf("no %s %s/%s", objects.KindOf[T]().Name, namespace, name)
	}
	return object
}

// edit changes a custom resource, again after a conflict with a controller.
func edit[T any](w twoWays, namespace, name string, change func(object *T), write func(objects.Client[T], *T) error) {
	w.t.Helper()
	eventually(w.t, "edit of "+name, func() error {
		object := stored[T](w, namespace, name)
		change(object)
		return write(other[T](w), object)
	})
}

// missing checks that a custom resource does not exist.
func missing[T any](w twoWays, namespace, name string) {
	w.t.Helper()
	if object, err := other[T](w).Get(namespace, name); object != nil || err != nil {
		w.t.Errorf("%s %s/%s is there: %v", objects.KindOf[T]().Name, namespace, name, err)
	}
}

// returns checks a value in the response to a request.
func (w twoWays) returns(s *Sandbox, op string, request map[string]any, path string, want any) {
	w.t.Helper()
	if err := w.check(s, op, request, path, want); err != nil {
		w.t.Error(err)
	}
}

// settles is returns for what a controller does.
func (w twoWays) settles(s *Sandbox, op string, request map[string]any, path string, want any) {
	w.t.Helper()
	eventually(w.t, op, func() error { return w.check(s, op, request, path, want) })
}

func (w twoWays) check(s *Sandbox, op string, request map[string]any, path string, want any) error {
	response := ask(s, op, request)
	if path == "code" {
		if response.Status.Code != want {
			return fmt.Errorf("%s: %d %s, want the code %v", op, response.Status.Code, response.Status.Message, want)
		}
		return nil
	}
	if err := response.err(); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	var value any
	must(w.t, json.Unmarshal(response.Data, &value))
	for part := range strings.SplitSeq(path, ".") {
		switch at := value.(type) {
		case map[string]any:
			value = at[part]
		case []any:
			var i int
			if n, err := fmt.Sscan(part, &i); n == 0 || err != nil || i >= len(at) {
				return fmt.Errorf("%s: no %s in %s", op, path, response.Data)
			}
			value = at[i]
		}
	}
	if !reflect.DeepEqual(value, want) {
		return fmt.Errorf("%s: %s is %v, want %v", op, path, value, want)
	}
	return nil
}

// does sends a request that succeeds.
func (w twoWays) does(s *Sandbox, op string, request map[string]any) {
	w.t.Helper()
	must(w.t, ask(s, op, request).err())
}

type m = map[string]any

// TestTwoWays: for each kind, what is done through the KusciaAPI shows at once as a custom
// resource, and what is done on the custom resource shows at once in the KusciaAPI.
func TestTwoWays(t *testing.T) {
	t.Run("memory", func(t *testing.T) { testTwoWays(t, nil) })
	t.Run("API server", func(t *testing.T) {
		testTwoWays(t, apiServer(t).Objects())
	})
}

func testTwoWays(t *testing.T, api *apiserver.Objects) {
	options := Options{StaleConfig: -1}
	if api != nil {
		options.API = api
	}
	master := startSandbox(t, options)
	w := twoWays{t: t, master: master}
	if api != nil {
		w.api = api
		clean := api.Record()
		t.Cleanup(func() { must(t, clean()) })
	}
	w.does(master, "domain/create", m{"domain_id": "carol"})
	w.node = startSandbox(t, Options{Lite: "carol", Master: master, StaleConfig: -1})
	for name, test := range map[string]func(twoWays){
		"domain": domainTwoWays, "route": routeTwoWays, "domain data": dataTwoWays, "data source": sourceTwoWays,
		"grant": grantTwoWays, "config": configTwoWays, "app image": imageTwoWays, "serving": servingTwoWays,
	} {
		t.Run(name, func(t *testing.T) {
			w := w
			w.t = t
			test(w)
		})
	}
}

func domainTwoWays(w twoWays) {
	id := m{"domain_id": "dave"}
	w.does(w.master, "domain/create", m{"domain_id": "dave", "role": "partner"})
	if d := stored[objects.Domain](w, "", "dave"); d.Spec.Role != "partner" || d.Spec.AuthCenter.TokenGenMethod != "RSA-GEN" {
		w.t.Errorf("%+v", d.Spec)
	}
	edit(w, "", "dave", func(d *objects.Domain) { d.Spec.Role = "" }, objects.Client[objects.Domain].Update)
	w.returns(w.master, "domain/query", id, "role", "")
	eventually(w.t, "token", func() error {
		if tokens := stored[objects.Domain](w, "", "dave").Status.DeployTokenStatuses; len(tokens) != 1 || tokens[0].State != objects.TokenUnused {
			return fmt.Errorf("tokens %v", tokens)
		}
		return nil
	})
	edit(w, "", "dave", func(d *objects.Domain) {
		d.Status.DeployTokenStatuses = []objects.DeployToken{{Token: "mine", State: objects.TokenUnused}}
		d.Status.NodeStatuses = []objects.NodeStatus{{Name: "n", Status: "Ready", Version: "v1"}}
	}, objects.Client[objects.Domain].UpdateStatus)
	w.returns(w.master, "domain/query", id, "deploy_token_statuses.0.token", "mine")
	w.returns(w.master, "domain/query", id, "node_statuses.0.status", "Ready")
	if joined, err := w.master.JoinWithToken("mine"); joined != "dave" || err != nil {
		w.t.Errorf("joined %q: %v", joined, err)
	}
	if token := stored[objects.Domain](w, "", "dave").Status.DeployTokenStatuses[0]; token.State != objects.TokenUsed {
		w.t.Errorf("%+v", token)
	}
	must(w.t, other[objects.Domain](w).Delete("", "dave"))
	w.returns(w.master, "domain/query", id, "code", int32(11305))
	eventually(w.t, "route of the deleted domain", func() error {
		if there, err := other[objects.ClusterDomainRoute](w).Get("", "dave-kuscia-system"); there != nil || err != nil {
			return fmt.Errorf("is there: %w", err)
		}
		return nil
	})
	must(w.t, other[objects.Domain](w).Create(&objects.Domain{Meta: objects.Meta{Name: "erin"}}))
	w.returns(w.master, "domain/query", m{"domain_id": "erin"}, "domain_id", "erin")
	w.settles(w.master, "domain/query", m{"domain_id": "erin"}, "deploy_token_statuses.0.state", "unused")
	w.settles(w.master, "route/query", m{"source": "erin", "destination": "kuscia-system"}, "source", "erin")
	w.does(w.master, "domain/delete", m{"domain_id": "erin"})
	missing[objects.Domain](w, "", "erin")
	if w.api != nil { // memory has no clients that set finalizers
		domainWithFinalizer(w)
	}
}

// domainWithFinalizer: a deleted domain is there, with its route, as long as it has finalizers.
func domainWithFinalizer(w twoWays) {
	id, route := m{"domain_id": "frank"}, m{"source": "frank", "destination": "kuscia-system"}
	must(w.t, other[objects.Domain](w).Create(&objects.Domain{Meta: objects.Meta{Name: "frank", Finalizers: []string{"test/kept"}}}))
	w.settles(w.master, "route/query", route, "source", "frank")
	w.does(w.master, "domain/delete", id)
	w.returns(w.master, "domain/query", id, "domain_id", "frank")
	w.returns(w.master, "route/query", route, "source", "frank")
	edit(w, "", "frank", func(d *objects.Domain) { d.Finalizers = nil }, objects.Client[objects.Domain].Update)
	w.settles(w.master, "route/query", route, "code", int32(11404))
	missing[objects.Domain](w, "", "frank")
}

func routeTwoWays(w twoWays) {
	ends := m{"source": "alice", "destination": "bob"}
	w.does(w.master, "route/create", m{
		"source": "alice", "destination": "bob", "authentication_type": "Token",
		"endpoint": m{"host": "gateway", "ports": []m{{"name": "http", "port": 1080, "protocol": "HTTPS"}}},
	})
	if r := stored[objects.ClusterDomainRoute](w, "", "alice-bob"); !r.Spec.Endpoint.Ports[0].IsTLS || r.Spec.TokenConfig.TokenGenMethod != "RSA-GEN" {
		w.t.Errorf("%+v", r.Spec)
	}
	w.settles(w.master, "route/query", ends, "status.status", "Succeeded")
	if r := stored[objects.ClusterDomainRoute](w, "", "alice-bob"); r.Status.Ready() == nil || r.Status.Ready().Status != "True" {
		w.t.Errorf("%+v", r.Status)
	}
	for _, namespace := range []string{"alice", "bob"} {
		eventually(w.t, "copy of the route", func() error {
			if copied, err := other[objects.DomainRoute](w).Get(namespace, "alice-bob"); copied == nil || err != nil || copied.Spec.Endpoint.Host != "gateway" {
				return fmt.Errorf("copy %v: %w", copied, err)
			}
			return nil
		})
	}
	edit(w, "", "alice-bob", func(r *objects.ClusterDomainRoute) { r.Spec.Endpoint.Host = "other" }, objects.Client[objects.ClusterDomainRoute].Update)
	w.returns(w.master, "route/query", ends, "endpoint.host", "other")
	edit(w, "", "alice-bob", func(r *objects.ClusterDomainRoute) { // as a gateway that has got a token
		r.Status.TokenStatus = m{"sourceTokens": []any{m{"token": "t", "isReady": true}}}
		r.Status.Conditions = []objects.Condition{{Type: objects.RouteReady, Status: "False", Message: "DestinationUnreachable", Reason: "DestinationUnreachable"}}
	}, objects.Client[objects.ClusterDomainRoute].UpdateStatus)
	w.returns(w.master, "route/status/batchQuery", m{"route_keys": []m{ends}}, "routes.0.status.reason",
		"LastUpdateAt=0001-01-01 00:00:00 +0000 UTC, Message=DestinationUnreachable, Reason:DestinationUnreachable")
	w.does(w.master, "route/delete", ends)
	missing[objects.ClusterDomainRoute](w, "", "alice-bob")
	must(w.t, other[objects.ClusterDomainRoute](w).Create(&objects.ClusterDomainRoute{
		Meta: objects.Meta{Name: "bob-alice"}, Spec: objects.RouteSpec{Source: "bob", Destination: "alice", AuthenticationType: "None"},
	}))
	w.settles(w.master, "route/query", m{"source": "bob", "destination": "alice"}, "status.status", "Succeeded")
	must(w.t, other[objects.ClusterDomainRoute](w).Delete("", "bob-alice"))
	w.returns(w.master, "route/query", m{"source": "bob", "destination": "alice"}, "code", int32(11404))
}

func dataTwoWays(w twoWays) {
	key := m{"data": m{"domain_id": "carol", "domaindata_id": "d"}}
	w.does(w.master, "domaindata/create", m{
		"domain_id": "carol", "domaindata_id": "d", "type": "table", "relative_uri": "/a.csv", "file_format": "CSV",
		"columns": []m{{"name": "id", "type": "str", "not_nullable": true}},
	})
	d := stored[objects.DomainData](w, "carol", "d")
	if d.Spec.RelativeURI != "a.csv" || d.Spec.FileFormat != "csv" || !d.Spec.Columns[0].NotNullable || d.Labels[objects.LabelDataType] != "table" {
		w.t.Errorf("%+v %v", d.Spec, d.Labels)
	}
	edit(w, "carol", "d", func(d *objects.DomainData) { d.Spec.Name, d.Spec.FileFormat = "renamed", "binary" }, objects.Client[objects.DomainData].Update)
	w.returns(w.master, "domaindata/query", key, "name", "renamed")
	w.returns(w.master, "domaindata/query", key, "file_format", "BINARY")
	w.does(w.master, "domaindata/update", m{"domain_id": "carol", "domaindata_id": "d", "type": "model"})
	if d := stored[objects.DomainData](w, "carol", "d"); d.Spec.Type != "model" || d.Spec.Name != "renamed" || d.Labels[objects.LabelDataType] != "model" {
		w.t.Errorf("%+v %v", d.Spec, d.Labels)
	}
	must(w.t, other[objects.DomainData](w).Create(&objects.DomainData{
		Meta: objects.Meta{Namespace: "carol", Name: "e", Labels: map[string]string{objects.LabelDataType: "rule"}},
		Spec: objects.DomainDataSpec{Name: "e", Type: "rule", Author: "carol", DataSource: kuscia.DefaultDataSource},
	}))
	w.returns(w.master, "domaindata/list", m{"data": m{"domain_id": "carol", "domaindata_type": "rule"}}, "domaindata_list.0.domaindata_id", "e")
	w.does(w.master, "domaindata/delete", m{"domain_id": "carol", "domaindata_id": "e"})
	missing[objects.DomainData](w, "carol", "e")
	must(w.t, other[objects.DomainData](w).Delete("carol", "d"))
	w.returns(w.master, "domaindata/query", key, "code", int32(11506))
}

func sourceTwoWays(w twoWays) {
	key := m{"domain_id": "carol", "datasource_id": "s"}
	w.does(w.node, "domaindatasource/create", m{
		"domain_id": "carol", "datasource_id": "s", "type": "oss",
		"info": m{"oss": m{"endpoint": "e", "bucket": "/b/", "prefix": "p", "access_key_id": "id", "access_key_secret": "pass-word"}},
	})
	s := stored[objects.DomainDataSource](w, "carol", "s")
	if text := fmt.Sprint(s); s.Spec.URI != "b/p" || s.Spec.Data[objects.EncryptedInfo] == "" || strings.Contains(text, "pass-word") {
		w.t.Errorf("%+v", s.Spec)
	}
	edit(w, "carol", "s", func(s *objects.DomainDataSource) { s.Spec.Name, s.Spec.AccessDirectly = "renamed", true }, objects.Client[objects.DomainDataSource].Update)
	w.returns(w.node, "domaindatasource/query", key, "name", "renamed")
	must(w.t, other[objects.DomainDataSource](w).Create(&objects.DomainDataSource{Meta: objects.Meta{Namespace: "carol", Name: "t"}, Spec: s.Spec}))
	w.returns(w.node, "domaindatasource/query", m{"domain_id": "carol", "datasource_id": "t"}, "info.oss.access_key_secret", "pass-word")
	w.does(w.node, "domaindatasource/delete", m{"domain_id": "carol", "datasource_id": "t"})
	missing[objects.DomainDataSource](w, "carol", "t")
	must(w.t, other[objects.DomainDataSource](w).Delete("carol", "s"))
	w.returns(w.node, "domaindatasource/query", key, "code", int32(11802))
}

func grantTwoWays(w twoWays) {
	key := m{"domain_id": "carol", "domaindatagrant_id": "g"}
	w.does(w.master, "domaindata/create", m{"domain_id": "carol", "domaindata_id": "granted", "type": "table", "relative_uri": "a"})
	w.does(w.master, "domaindatagrant/create", m{
		"domain_id": "carol", "domaindatagrant_id": "g", "domaindata_id": "granted", "grant_domain": "alice",
		"limit": m{"use_count": 3, "expiration_time": "4102444800000000001", "initiator": "carol"},
	})
	g := stored[objects.DomainDataGrant](w, "carol", "g")
	if g.Spec.Limit.UseCount != 3 || g.Spec.Limit.ExpirationTime.Unix() != 4102444800 || g.Spec.Limit.Initiator != "carol" || !g.IsOwnedBy(stored[objects.DomainData](w, "carol", "granted").UID) {
		w.t.Errorf("%+v", g)
	}
	w.settles(w.master, "domaindatagrant/query", key, "status.phase", "Ready")
	for _, namespace := range []string{"carol", "alice"} {
		if g := stored[objects.DomainDataGrant](w, namespace, "g"); g.Status.Phase != "Ready" || g.Spec.Author != "carol" {
			w.t.Errorf("in %s: %+v", namespace, g)
		}
	}
	edit(w, "carol", "g", func(g *objects.DomainDataGrant) { g.Spec.Limit = &objects.GrantLimit{FlowID: "flow"} }, objects.Client[objects.DomainDataGrant].Update)
	w.returns(w.master, "domaindatagrant/query", key, "data.limit.flow_id", "flow")
	w.settles(w.master, "domaindatagrant/query", m{"domain_id": "alice", "domaindatagrant_id": "g"}, "data.limit.flow_id", "flow")
	edit(w, "carol", "g", func(g *objects.DomainDataGrant) {
		g.Status = objects.DomainDataGrantStatus{Phase: "Unavailable", Message: "by hand"}
	}, objects.Client[objects.DomainDataGrant].UpdateStatus)
	w.returns(w.master, "domaindatagrant/query", key, "status.message", "by hand")
	must(w.t, other[objects.DomainDataGrant](w).Create(&objects.DomainDataGrant{
		Meta: objects.Meta{Namespace: "carol", Name: "h", Labels: map[string]string{objects.LabelGrantDomain: "bob"}},
		Spec: objects.DomainDataGrantSpec{Author: "carol", DomainDataID: "granted", GrantDomain: "bob"},
	}))
	w.settles(w.master, "domaindatagrant/query", m{"domain_id": "bob", "domaindatagrant_id": "h"}, "status.phase", "Ready")
	w.does(w.master, "domaindatagrant/delete", m{"domain_id": "carol", "domaindatagrant_id": "h"})
	missing[objects.DomainDataGrant](w, "carol", "h")
	missing[objects.DomainDataGrant](w, "bob", "h")
	must(w.t, other[objects.DomainDataGrant](w).Delete("carol", "g"))
	w.returns(w.master, "domaindatagrant/query", key, "code", int32(11705))
	w.settles(w.master, "domaindata/query", m{"data": m{"domain_id": "alice", "domaindata_id": "granted"}}, "code", int32(11506))
}

func configTwoWays(w twoWays) {
	value := func(want string) func() error {
		return func() error { // the node has it in its cache a moment later, as a real one
			if got := ask(w.node, "config/query", m{"key": "k"}); got.Value != want || got.err() != nil {
				return fmt.Errorf("%q, %w", got.Value, got.err())
			}
			return nil
		}
	}
	w.does(w.node, "config/create", m{"data": []m{{"key": "k", "value": "pass-word"}}})
	c := stored[objects.ConfigMap](w, "carol", "domain-config")
	if c.Data["k"] == "" || c.Data["k"] == "pass-word" || c.Data[kuscia.ReservedConfigKey] == "" || c.Labels[objects.LabelDomain] != "carol" {
		w.t.Errorf("%+v", c)
	}
	eventually(w.t, "value", value("pass-word"))
	edit(w, "carol", "domain-config", func(c *objects.ConfigMap) {
		c.Data = map[string]string{"l": c.Data["k"]}
	}, objects.Client[objects.ConfigMap].Update)
	eventually(w.t, "deleted value", value(""))
	if got := ask(w.node, "config/query", m{"key": "l"}); got.Value != "pass-word" {
		w.t.Errorf("%+v", got)
	}
	edit(w, "carol", "domain-config", func(c *objects.ConfigMap) { c.Data = map[string]string{"k": "plain"} }, objects.Client[objects.ConfigMap].Update)
	w.settles(w.node, "config/query", m{"key": "k"}, "code", int32(11901))
}

func imageTwoWays(w twoWays) {
	name := m{"name": "i"}
	w.does(w.master, "appimage/create", m{
		"name": "i", "image": m{"name": "example/app", "tag": "v1"},
		"deploy_templates": []m{{"name": "t", "replicas": 1, "containers": []m{{"name": "main", "ports": []m{{"name": "http"}}}}}},
	})
	if i := stored[objects.AppImage](w, "", "i"); i.Spec.Image.Tag != "v1" || i.Spec.DeployTemplates[0].Spec.Containers[0].Ports[0].Scope != "Local" {
		w.t.Errorf("%+v", i.Spec)
	}
	edit(w, "", "i", func(i *objects.AppImage) { i.Spec.Image.Tag = "v2" }, objects.Client[objects.AppImage].Update)
	w.returns(w.master, "appimage/query", name, "image.tag", "v2")
	must(w.t, other[objects.AppImage](w).Delete("", "i"))
	w.returns(w.master, "appimage/query", name, "code", int32(13105))
}

func servingTwoWays(w twoWays) {
	putImages(w.t, w.master, fixtureImages(w.t))
	id := m{"serving_id": "s"}
	put(w.t, w.master, "s", party("alice", imageV1, 1))
	if kd := stored[objects.KusciaDeployment](w, objects.CrossDomain, "s"); kd.Spec.Parties[0].AppImageRef != imageV1 {
		w.t.Errorf("%+v", kd.Spec)
	}
	edit(w, objects.CrossDomain, "s", func(kd *objects.KusciaDeployment) { kd.Spec.InputConfig = "{}" }, objects.Client[objects.KusciaDeployment].Update)
	w.returns(w.master, "serving/query", id, "serving_input_config", "{}")
	w.settles(w.master, "serving/query", id, "status.state", "Available")
	must(w.t, other[objects.KusciaDeployment](w).Delete(objects.CrossDomain, "s"))
	w.returns(w.master, "serving/query", id, "code", int32(11601))
}
