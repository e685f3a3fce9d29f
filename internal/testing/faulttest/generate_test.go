package faulttest_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"hash/crc32"
	"maps"
	"math/big"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
)

// generatedResource is a resource of a random configuration. Attributes may be references.
type generatedResource struct {
	typeName, name string
	config         attrs
}

// reference refers to an attribute of another resource.
type reference struct{ address, attribute string }

func (d generatedResource) address() string { return d.typeName + "." + d.name }

// resource resolves the references and returns the resource.
func (d generatedResource) resource() resource {
	r := resource{address: d.address(), typeName: d.typeName}
	for _, value := range d.config {
		if to, is := value.(reference); is {
			r.after = append(r.after, to.address)
		}
	}
	r.config = func(value func(address, attribute string) any) attrs {
		config := maps.Clone(d.config)
		for name, given := range config {
			if to, is := given.(reference); is {
				config[name] = value(to.address, to.attribute)
			}
		}
		return config
	}
	return r
}

// generator generates random configurations of all objects without a rollout:
// domains, routes, config entries, data sources, data and grants, on the node
// of domain alice.
type generator struct{ *mathrand.Rand }

func pick[T any](a generator, from ...T) T { return from[a.IntN(len(from))] }

// chance returns true with the given probability in percent.
func (a generator) chance(percent int) bool { return a.IntN(100) < percent }

// maybe returns the value or nil.
func (a generator) maybe(value any) any {
	if a.chance(50) {
		return nil
	}
	return value
}

// id returns the id, or nil so that the provider generates one.
func (a generator) id(id string) any {
	if a.chance(20) {
		return nil
	}
	return id
}

// text returns a text that an encoding or a parser could misread.
func (a generator) text() string {
	return pick(a, "a", "b", "with blank", "表", `"quoted"`, "back\\slash", "{}", "null", "true", "1", "a,b", "é", "<&>",
		" outer blanks ", "two\nlines\r\n", "\ttab", "right\u202eto left\u2066", "\x1b[31mred", "$a %b", "💠", strings.Repeat("long 長い ", 500))
}

func (a generator) textMap() any {
	out := attrs{}
	for range a.IntN(3) {
		out[pick(a, "a", "b", "c d", "e.f")] = a.text()
	}
	if len(out) == 0 {
		return pick[any](a, nil, attrs{})
	}
	return out
}

// certificates are two certificates, each in all encodings that Kuscia accepts.
var certificates = sync.OnceValue(func() (all [][]string) {
	for _, name := range []string{"first", "second"} {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		must(err)
		template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour)}
		der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
		must(err)
		text := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
		all = append(all, []string{text, strings.TrimSpace(text), base64.StdEncoding.EncodeToString([]byte(text)), strings.ReplaceAll(text, "\n", "\r\n")})
	}
	return all
})

func (a generator) certificate() any {
	all := certificates()
	return pick(a, pick(a, all...)...)
}

// respelled returns the same certificate in a random encoding.
func (a generator) respelled(certificate any) any {
	for _, encodings := range certificates() {
		if text, _ := certificate.(string); slices.Contains(encodings, text) {
			return pick(a, encodings...)
		}
	}
	return certificate
}

func (a generator) domain(name string) generatedResource {
	id := "r-" + name
	config := attrs{"domain_id": id, "role": pick[any](a, nil, "", "partner"), "master_domain_id": pick[any](a, nil, "", id)}
	if a.chance(30) {
		config["cert"] = a.certificate()
	}
	if a.chance(50) {
		config["auth_center"] = attrs{"authentication_type": pick(a, "Token", "MTLS", "None"), "token_gen_method": pick(a, "RSA-GEN", "RAND-GEN", "UID-RSA-GEN")}
	}
	if a.chance(30) {
		config["wait_for_deploy_token"] = a.chance(50)
	}
	return generatedResource{"kuscia_domain", name, config}
}

func (a generator) ports() any {
	var ports []any
	for i := range 1 + a.IntN(2) {
		ports = append(ports, attrs{
			"name": fmt.Sprint("port-", i), "port": 1 + a.IntN(65535), "protocol": pick(a, "HTTP", "GRPC", "http", "Grpc"),
			"is_tls": pick[any](a, nil, true, false), "path_prefix": pick[any](a, nil, "", "/x"),
		})
	}
	return ports
}

func (a generator) route(name string, source, destination any) generatedResource {
	kind := pick(a, "Token", "Token", "MTLS", "None")
	config := attrs{
		"source": source, "destination": destination, "authentication_type": kind,
		"endpoint":       attrs{"host": pick[any](a, nil, "", "gateway.example", "10.0.0.1"), "ports": a.ports()},
		"wait_for_ready": pick[any](a, nil, false),
	}
	if kind == "MTLS" {
		config["mtls_config"] = attrs{"tls_ca": encoded(a), "source_client_cert": encoded(a), "source_client_private_key": a.maybe(base64.StdEncoding.EncodeToString([]byte("key")))}
	}
	if kind == "Token" {
		config["token_config"] = a.maybe(attrs{"token_gen_method": pick[any](a, nil, "RSA-GEN", "UID-RSA-GEN"), "rolling_update_period": pick[any](a, nil, 0, 60)})
		config["body_encryption"] = a.maybe(attrs{"algorithm": pick(a, "AES", "SM4")})
	}
	if a.chance(20) {
		config["transit"] = pick(a, attrs{"transit_method": "REVERSE-TUNNEL"}, attrs{"transit_method": "THIRD-DOMAIN", "domain_id": "alice"})
	}
	return generatedResource{"kuscia_domain_route", name, config}
}

// encoded returns a certificate in base64.
func encoded(a generator) any { return pick(a, certificates()...)[2] }

// setSecret sets an attribute, either directly or through its write-only variant.
func (a generator) setSecret(config attrs, name, value string) {
	if a.chance(40) {
		// A new value needs a new version.
		config[name+"_wo"], config[name+"_wo_version"] = value, int(crc32.ChecksumIEEE([]byte(value))%1000)
		return
	}
	config[name] = value
}

func (a generator) entry(name string) generatedResource {
	config := attrs{"key": "key." + name}
	a.setSecret(config, "value", pick(a, a.text(), `{"endpoint":"db:1","user":"u","password":"p"}`))
	return generatedResource{"kuscia_config", name, config}
}

// blocksOf maps the type of a data source to the name of its block.
var blocksOf = map[string]string{"localfs": "localfs", "oss": "oss", "odps": "odps", "mysql": "database", "postgresql": "database", "hive": "database", "dameng": "database"}

func (a generator) source(name string, keys []string) generatedResource {
	kind := pick(a, slices.Sorted(maps.Keys(blocksOf))...)
	config := attrs{"domain_id": "alice", "datasource_id": a.id("source-" + name), "type": kind, "name": pick[any](a, nil, "", a.text()), "access_directly": pick[any](a, nil, true, false)}
	block := attrs{}
	switch blocksOf[kind] {
	case "localfs":
		block["path"] = pick(a, "/data", "/data/", "data/x")
	case "oss":
		maps.Copy(block, attrs{
			"endpoint": "oss.example", "bucket": pick(a, "b", "/b/", "c"), "prefix": pick[any](a, nil, "", "p", "/p/"),
			"virtualhost": pick[any](a, nil, true, false), "version": pick[any](a, nil, "", "s3v4"), "storage_type": pick[any](a, nil, "", "oss", "minio"),
		})
	case "odps":
		maps.Copy(block, attrs{"endpoint": "http://odps.example", "project": pick(a, "p", "q")})
	case "database":
		maps.Copy(block, attrs{"endpoint": pick(a, "db:1", "db:2"), "user": pick[any](a, nil, "", "u"), "database": pick(a, "d", "e")})
		if a.chance(70) {
			a.setSecret(block, "password", pick(a, "pw-1", "pw-2"))
		}
	}
	if kind == "oss" || kind == "odps" {
		a.setSecret(block, "access_key_id", pick(a, "id-1", "id-2"))
		a.setSecret(block, "access_key_secret", pick(a, "secret-1", "secret-2"))
	}
	if len(keys) > 0 && (kind == "mysql" || kind == "hive") && a.chance(60) {
		config["info_key"] = reference{"kuscia_config." + pick(a, keys...), "key"}
	} else {
		config[blocksOf[kind]] = block
	}
	return generatedResource{"kuscia_domain_data_source", name, config}
}

func (a generator) columns(nullable bool) any {
	var columns []any
	for range a.IntN(3) {
		column := attrs{"name": a.text(), "type": pick(a, "str", "float", "int"), "comment": pick[any](a, nil, "", a.text())}
		if nullable {
			column["not_nullable"] = pick[any](a, nil, true, false)
		}
		columns = append(columns, column)
	}
	if columns == nil {
		return pick[any](a, nil, []any{})
	}
	return columns
}

func (a generator) data(name string, sources []string) generatedResource {
	config := attrs{
		"domain_id": "alice", "domaindata_id": a.id("data-" + name), "type": pick(a, "table", "model", "x"), "relative_uri": pick(a, "a.csv", "dir/b", "dir/"),
		"name": pick[any](a, nil, "n", a.text()), "attributes": a.textMap(), "columns": a.columns(true),
		"vendor": pick[any](a, nil, "manual", "team"), "file_format": pick[any](a, nil, "UNKNOWN", "CSV", "BINARY"),
	}
	if a.chance(30) {
		config["partition"] = attrs{"type": pick(a, "path", "odps"), "fields": a.columns(false)}
	}
	if len(sources) > 0 && a.chance(60) {
		config["datasource_id"] = reference{"kuscia_domain_data_source." + pick(a, sources...), "datasource_id"}
	} else {
		config["datasource_id"] = pick[any](a, nil, "default-data-source")
	}
	return generatedResource{"kuscia_domain_data", name, config}
}

func (a generator) grant(name string, data string, grantees []any) generatedResource {
	config := attrs{
		"domain_id": "alice", "domaindatagrant_id": a.id("grant-" + name), "domaindata_id": reference{"kuscia_domain_data." + data, "domaindata_id"},
		"grant_domain": pick(a, grantees...), "description": a.textMap(), "signature": pick[any](a, nil, "", "c2lnbmVk"),
	}
	if a.chance(60) {
		config["limit"] = attrs{
			"expiration_time": pick[any](a, nil, "2040-01-31T00:00:00Z", "2040-01-31T08:00:00+08:00", "2001-01-01T00:00:00Z"), "use_count": pick[any](a, nil, 0, 7),
			"flow_id": pick[any](a, nil, "", a.text()), "components": pick[any](a, nil, []any{}, []any{"b", "a"}), "initiator": pick[any](a, nil, "", "alice"), "input_config": pick[any](a, nil, "", "{}"),
		}
	}
	return generatedResource{"kuscia_domain_data_grant", name, config}
}
