package review

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
)

// Credential is a token, certificate or secret that changes. Its value is
// not part of it.
type Credential struct {
	Address   string `json:"address"`
	Attribute string `json:"attribute"`
	// Kind is one of secret, certificate, token.
	Kind string `json:"kind"`
	// Value is the version of a secret, the fingerprint of a certificate, or the
	// setting of a token.
	Value Pair `json:"value"`
}

// What attributes have, by their names.
var (
	certificates = []string{"cert", "tls_ca", "source_client_cert"}
	tokens       = []string{"token_config.rolling_update_period", "token_config.token_gen_method", "auth_center.authentication_type", "auth_center.token_gen_method"}
	// The blocks that have any of these, for one that is known after apply as a whole.
	credentialBlocks = []string{"mtls_config", "token_config", "auth_center", "oss", "odps", "database", "envs"}
	// The configuration text of a serving is shown with it.
	configTexts = []string{"serving_input_config", "input_config"}
)

func (b *builder) credentials() {
	for i := range b.objects {
		o := &b.objects[i]
		if !slices.Contains([]Action{Create, Update, Replace}, o.action) {
			continue
		}
		found := credentialsOf(*o)
		b.report.Credentials = append(b.report.Credentials, found...)
		if len(found) > 0 && o.action != Create {
			b.find(Finding{
				Address: o.address, Categories: []Category{Secret}, kind: credentialChanges, Effect: concat(say("changes "), join(", ", attributesOf(found)...)),
				subject: concat(say("of "), show(o.address)),
			})
		}
	}
}

func attributesOf(credentials []Credential) []phrase {
	var names []string
	for _, c := range credentials {
		names = append(names, c.Attribute)
	}
	return values(names, 4)
}

// credentialsOf are the credentials of an object that change.
func credentialsOf(o object) []Credential {
	var all []Credential
	var walk func(at []string, before, after value)
	walk = func(at []string, before, after value) {
		if len(at) > maxDepth || !differs(before, after) {
			return
		}
		if len(at) > 0 {
			if c, ok := newCredential(o, at, before, after); ok {
				all = append(all, c)
				return
			}
		}
		for _, key := range mergeKeys(before, after) {
			walk(append(slices.Clone(at), key), before.at(key), after.at(key))
		}
	}
	walk(nil, o.before, o.after)
	return all
}

func newCredential(o object, at []string, before, after value) (Credential, bool) {
	name, attribute := at[len(at)-1], strings.Join(at, ".")
	c := Credential{Address: o.address, Attribute: attribute, Value: pair(before, after)}
	sensitive := before.wholeSensitive() && before.raw != nil || after.wholeSensitive() && after.exists()
	switch {
	case slices.Contains(configTexts, name):
		return c, false
	case strings.HasSuffix(name, "_wo_version"):
		c.Kind, c.Attribute = "secret", strings.TrimSuffix(attribute, "_wo_version")
	case o.action == Create && after.isUnknown() && !sensitive: // the server may make one
		return c, false
	case sensitive, slices.Contains(credentialBlocks, name) && after.isUnknown() && len(before.allKeys()) == 0:
		c.Kind = "secret"
	case slices.Contains(certificates, name) && (before.exists() || after.exists()):
		return certificate(c, before, after)
	case slices.Contains(tokens, attribute) && o.action != Create:
		c.Kind = "token"
	default:
		return c, false
	}
	return c, c.Value.changed() || sensitive
}

// certificate completes a certificate, unless it is only encoded in another way.
func certificate(c Credential, before, after value) (Credential, bool) {
	c.Kind, c.Value = "certificate", Pair{Before: fingerprint(before), After: fingerprint(after)}
	old, current := certificatesOf(before), certificatesOf(after)
	return c, len(old) == 0 || !slices.EqualFunc(old, current, bytes.Equal)
}

// certificatesOf are the DER forms of what a text has in PEM, also as base64 of it; none if it
// is not known or has another form.
func certificatesOf(v value) [][]byte {
	rest := []byte(v.id())
	if block, _ := pem.Decode(rest); block == nil {
		if decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(v.id())); err == nil {
			rest = decoded
		}
	}
	var all [][]byte
	for {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return all
		}
		all = append(all, block.Bytes)
	}
}

// fingerprint identifies a certificate or key: the beginning of the SHA-256 of
// its DER form, as openssl x509 -fingerprint -sha256 shows it.
func fingerprint(v value) string {
	all := certificatesOf(v)
	switch {
	case v.name() == "":
		return v.text()
	case len(all) == 0:
		return "(not PEM)"
	}
	sum := sha256.Sum256(all[0])
	digits := strings.ToUpper(hex.EncodeToString(sum[:8]))
	var pairs []string
	for i := 0; i < len(digits); i += 2 {
		pairs = append(pairs, digits[i:i+2])
	}
	text := "SHA-256 " + strings.Join(pairs, ":") + "…"
	if more := len(all) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// phrase shows what changes of a credential.
func (c Credential) phrase() phrase {
	switch {
	case c.Value.Before == sensitiveText && c.Value.After == sensitiveText:
		return say("another value")
	case c.Kind == "certificate" && c.Value.Before == c.Value.After:
		return say("another value")
	case c.Value.Before == "" && c.Value.After == sensitiveText:
		return say("set")
	case c.Value.After == "":
		return say("removed")
	case c.Kind == "secret" && strings.HasPrefix(c.Value.After, "("):
		return c.Value.phrase()
	case c.Kind == "secret":
		return concat(say("version "), c.Value.phrase())
	}
	return c.Value.phrase()
}
