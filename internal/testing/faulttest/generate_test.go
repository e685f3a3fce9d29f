package faulttest_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
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

func (r generatedResource) address() string { return r.typeName + "." + r.name }

// resource resolves the references and returns the resource.
func (r generatedResource) resource() resource {
	resolved := resource{address: r.address(), typeName: r.typeName}
	for _, value := range r.config {
		if to, is := value.(reference); is {
			resolved.after = append(resolved.after, to.address)
		}
	}
	resolved.config = func(value func(address, attribute string) any) attrs {
		config := maps.Clone(r.config)
		for name, given := range config {
			if to, is := given.(reference); is {
				config[name] = value(to.address, to.attribute)
			}
		}
		return config
	}
	return resolved
}

// generator generates random configurations of all objects without a rollout:
// domains, routes, config entries, data sources, data and grants, on the node
// of domain alice.
type generator struct{ *mathrand.Rand }

func pick[T any](g generator, from ...T) T { return from[g.IntN(len(from))] }

// chance returns true with the given probability in percent.
func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

// maybe returns the value or nil.
func (g generator) maybe(value any) any {
	if g.chance(50) {
		return nil
	}
	return value
}

// id returns the id, or nil so that the provider generates one.
func (g generator) id(id string) any {
	if g.chance(20) {
		return nil
	}
	return id
}

// text returns a text that an encoding or a parser could misread.
func (g generator) text() string {
	return pick(g, "a", "b", "with blank", "表", `"quoted"`, "back\\slash", "{}", "null", "true", "1", "a,b", "é", "<&>",
		" outer blanks ", "two\nlines\r\n", "\ttab", "right\u202eto left\u2066", "\x1b[31mred", "$a %b", "💠", strings.Repeat("long 長い ", 500))
}

func (g generator) textMap() any {
	out := attrs{}
	for range g.IntN(3) {
		out[pick(g, "a", "b", "c d", "e.f")] = g.text()
	}
	if len(out) == 0 {
		return pick[any](g, nil, attrs{})
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

func (g generator) certificate() any {
	all := certificates()
	return pick(g, pick(g, all...)...)
}

// respelled returns the same certificate in a random encoding.
func (g generator) respelled(certificate any) any {
	for _, encodings := range certificates() {
		if text, _ := certificate.(string); slices.Contains(encodings, text) {
			return pick(g, encodings...)
		}
	}
	return certificate
}

// encoded returns a certificate in base64.
func encoded(g generator) any { return pick(g, certificates()...)[2] }

// setSecret sets an attribute, either directly or through its write-only variant.
func (g generator) setSecret(config attrs, name, value string) {
	if g.chance(40) {
		// A new value needs a new version.
		config[name+"_wo"], config[name+"_wo_version"] = value, int(crc32.ChecksumIEEE([]byte(value))%1000)
		return
	}
	config[name] = value
}
