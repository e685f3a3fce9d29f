package lifetest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// needing is a change of the minimal configuration of a type that needs a declared feature.
type needing struct {
	attrs
	// of are further changes, for an object. May be nil.
	of func(*object) attrs
	// at is the path in the error, if it is not the declared one, and says a part of its text.
	at, says string
}

// needings are all declared values by type, feature and value, each with a configuration. A
// declaration without one is an error.
func needings() map[string]needing {
	ports := func(more attrs) attrs {
		return attrs{"host": "gateway.example", "ports": []any{with(attrs{"name": "http", "port": 1080, "protocol": "HTTP"}, more)}}
	}
	token := func(more attrs) attrs { return with(attrs{"authentication_type": "Token"}, more) }
	certs := attrs{"tls_ca": inBase64(certificates[0]), "source_client_cert": inBase64(certificates[1])}
	database := attrs{"localfs": nil, "database": attrs{"endpoint": "db:1", "user": "u", "database": "d"}}
	const route, source, serving, deployment = "kuscia_domain_route ", "kuscia_domain_data_source ", "kuscia_serving ", "kuscia_deployment "
	return map[string]needing{
		"kuscia_app_image app-image-api":     {at: "name", says: "create the app image with kubectl"},
		"kuscia_config config-api":           {at: "key", says: "remove kuscia_config"},
		"kuscia_domain master-domain-id":     {attrs: attrs{"master_domain_id": "alice"}, says: "store the domain without it"},
		"kuscia_domain_data_grant grant-ids": {at: "domaindatagrant_id", says: "nobody could read or revoke it"},
		route + "route-without-token=MTLS":   {attrs: attrs{"authentication_type": "MTLS", "mtls_config": certs}, says: "whose controllers such a route ends"},
		route + "route-without-token=None":   {attrs: attrs{"authentication_type": "None"}, says: `authentication_type = "Token"`},
		route + "route-tls":                  {attrs: token(attrs{"endpoint": ports(attrs{"is_tls": true})}), at: "endpoint.ports[0].is_tls", says: "without TLS"},
		route + "route-path-prefix":          {attrs: token(attrs{"endpoint": ports(attrs{"path_prefix": "/x"})}), at: "endpoint.ports[0].path_prefix", says: "remove path_prefix"},
		route + "route-rolling-update":       {attrs: token(attrs{"token_config": attrs{"rolling_update_period": 60}}), says: "remove rolling_update_period"},
		route + "route-body-encryption":      {attrs: token(attrs{"body_encryption": attrs{"algorithm": "AES"}}), says: "remove body_encryption"},
		route + "route-transit":              {attrs: token(attrs{"endpoint": nil, "transit": attrs{"transit_method": "REVERSE-TUNNEL"}}), says: "set endpoint instead"},
		source + "type-odps=odps": {attrs: attrs{"type": "odps", "localfs": nil, "odps": attrs{
			"endpoint": "http://odps.example", "project": "p", "access_key_id": "i", "access_key_secret": "s",
		}}, says: "set another type"},
		source + "type-postgresql=postgresql": {attrs: with(attrs{"type": "postgresql"}, database), says: "set another type"},
		source + "type-hive=hive":             {attrs: with(attrs{"type": "hive"}, database), says: "set another type"},
		source + "type-dameng=dameng":         {attrs: with(attrs{"type": "dameng"}, database), says: "set another type"},
		serving + "affinity-mode":             {attrs: attrs{"affinity_mode": "none"}, says: "silently ignore it"},
		serving + "service-name-prefix": {
			attrs: attrs{"serving_input_config": "{}", "parties": attrs{"alice": attrs{"app_image": firstImage, "service_name_prefix": "p"}}},
			at:    `parties["alice"].service_name_prefix`, says: "silently ignore it",
		},
		deployment + "serving-id-digits": {of: func(o *object) attrs { return attrs{"name": "1" + o.name} }, says: "let name begin with a letter"},
		deployment + "affinity-mode":     {attrs: attrs{"affinity_mode": "none"}, says: "ignore it"},
		deployment + "service-name-prefix": {
			of: func(o *object) attrs {
				return attrs{"parties": attrs{"alice": attrs{"app_image": o.name, "service_name_prefix": "since"}}}
			},
			at: `parties["alice"].service_name_prefix`, says: "ignore it",
		},
		serving + "optional-serving-config": {at: "serving_input_config", says: "refuse the serving"},
		serving + "serving-id-digits":       {attrs: attrs{"serving_id": "1a", "serving_input_config": "{}"}, says: "begin with a letter"},
		serving + "long-serving-ids":        {attrs: attrs{"serving_id": strings.Repeat("a", 63), "serving_input_config": "{}"}, says: "shorten serving_id"},
	}
}

// releases are the versions of Kuscia that the test tries, in order.
var releases = []string{
	"v0.5.0b0", "v0.6.0b0", "v0.7.0b0", "v0.8.0b0", "v0.9.0b0", "v0.10.0b0", "v0.11.0b0", "v0.12.0b0", "v0.13.0b0", "v0.14.0b0", "v0.15.0b0", "v1.0.0b0", "v1.1.0b0", "v1.1.0b0-6-ge909d9f6",
}

// around returns the last version without a feature, and the first with it.
func around(f versions.Feature) (without, with string) {
	i := slices.IndexFunc(releases, func(v string) bool { return versions.Parse(v).Has(f) })
	return releases[i-1], releases[i]
}

// TestSince: each value that only some versions of Kuscia support is refused by the plan and by
// the apply of an older one, before anything is sent, with its path, the version that has it, that
// of the server, and what to do. The first version that has it runs it.
func TestSince(t *testing.T) {
	t.Parallel()
	tests := needings()
	for typeName, all := range provider.Since(t.Context()) {
		for _, declared := range all {
			values := declared.Values
			if values == nil {
				values = []string{""}
			}
			for _, value := range values {
				key := typeName + " " + declared.Name
				if value != "" {
					key += "=" + value
				}
				test, ok := tests[key]
				if !ok {
					t.Errorf("%s has no configuration", key)
				}
				if delete(tests, key); test.at == "" {
					test.at = declared.Attribute
				}
				t.Run(key, func(t *testing.T) {
					t.Parallel()
					checkSince(t, typeName, declared.Feature, test)
				})
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(tests)) {
		t.Errorf("%s is not declared", key)
	}
}

// TestSinceInPages: the page of a type says what each of its attributes needs, and the pages of an
// API that only some versions have say so, all with a mark where that was not tried.
func TestSinceInPages(t *testing.T) {
	t.Parallel()
	const docs = "../../../docs/"
	for typeName, all := range provider.Since(t.Context()) {
		name := strings.TrimPrefix(typeName, "kuscia_") + ".md"
		for _, declared := range all {
			if declared.Attribute == "" {
				for _, page := range []string{"resources/", "data-sources/"} {
					if text := testfile.Read(t, docs+page+name); strings.Count(text, declared.Sentence()) != 2 { // in the head, and below
						t.Errorf("%s%s lacks %q", page, name, declared.Sentence())
					}
				}
				continue
			}
			attribute := declared.Attribute[strings.LastIndex(declared.Attribute, ".")+1:]
			found := false
			for line := range strings.Lines(testfile.Read(t, docs+"resources/"+name)) {
				found = found || strings.HasPrefix(line, "- `"+attribute+"`") && strings.Contains(line, "Kuscia "+declared.NeedsInPages()+".")
			}
			if !found {
				t.Errorf("resources/%s: %s does not say that it needs Kuscia %s", name, declared.Attribute, declared.NeedsInPages())
			}
		}
	}
}

func checkSince(t *testing.T, typeName string, feature versions.Feature, test needing) {
	t.Helper()
	without, first := around(feature)
	o, newer := oldObjects(t, typeName, without, first)
	config := with(o.minimal(), test.attrs)
	if test.of != nil {
		config = with(config, test.of(o))
	}
	writes := len(o.s.writes())
	response, _ := o.run().Plan(t, o.value(config), o.run().None())
	said := protocol.Messages(response.Diagnostics)
	for _, part := range []string{"ERROR", "Kuscia is too old", test.at, fmt.Sprintf("needs Kuscia %s, and this one is %s", feature.Needs(), without), test.says} {
		if !strings.Contains(said, part) {
			t.Errorf("the plan: %q is not in %s", part, said)
		}
	}
	if strings.Count(said, "ERROR") != 1 {
		t.Errorf("the plan: %s", said)
	}
	// The apply, of a plan that another version of Kuscia has accepted.
	made, _ := newer.run().Plan(t, o.value(config), o.run().None())
	applied := o.run().Change(t, o.value(config), o.run().None(), made)
	if said := protocol.Messages(applied.Diagnostics); !strings.Contains(said, "Kuscia is too old") || strings.Count(said, "ERROR") != 1 {
		t.Errorf("the apply: %s", said)
	}
	if after := o.s.writes(); len(after) != writes {
		t.Errorf("it sends %v", after[writes:])
	}
	newer.apply("with "+first, config, newer.run().None())
}

// oldObjects are objects of a type and one name on Kuscias of two versions.
func oldObjects(t *testing.T, typeName, first, second string) (a, b *object) {
	t.Helper()
	if typeName != "kuscia_deployment" {
		return oldObject(t, typeName, first), oldObject(t, typeName, second)
	}
	of := lives[typeName]
	s := of.servers(t)
	a = newObjectOn(t, s, typeName, of)
	s.kube.Sweep("1" + a.name)
	for port := range 2 { // an old Kuscia allocates no ports
		patch := fmt.Sprintf(`[{"op":"add","path":"/spec/deployTemplates/0/spec/containers/0/ports/%d/port","value":8080}]`, port)
		s.kube.Patch(acctest.KubeAppImages, "", a.name, types.JSONPatchType, patch)
	}
	b = &object{life: of, t: t, s: new(*s), typeName: typeName, name: a.name}
	for o, version := range map[*object]string{a: first, b: second} {
		o.s.variables = maps.Clone(s.variables)
		maps.Copy(o.s.variables, kusciaServers(acctest.NewSandbox(t, sandbox.Options{Version: version})).variables)
	}
	return a, b
}

// oldObject is an object of a type on a Kuscia of a version.
func oldObject(t *testing.T, typeName, version string) *object {
	t.Helper()
	options := sandbox.Options{Version: version}
	l := lives[typeName]
	if typeName == "kuscia_domain_data_source" {
		options.Autonomy = "alice"
	}
	if typeName == "kuscia_serving" && !versions.Parse(version).Has(versions.AppImageAPI) {
		l.prepare = func(s *servers, _ string) {
			protocol.NoError(t, s.env.Sandbox.PutAppImage(plainImage(firstImage)))
		}
	}
	o := &object{life: l, t: t, s: kusciaServers(acctest.NewSandbox(t, options)), typeName: typeName, name: "since"}
	if l.prepare != nil {
		l.prepare(o.s, o.name)
	}
	return o
}

// plainImage is an app image that was created in the cluster.
func plainImage(name string) kuscia.AppImage {
	return kuscia.AppImage{
		Name: name, Image: kuscia.AppImageInfo{Name: "example/app", Tag: "1"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{
			Name: "app", Ports: []kuscia.ContainerPort{{Name: "service", Protocol: "HTTP", Scope: "Domain"}},
		}}}},
	}
}
