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

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// Credential is a token, certificate or secret that changes. Its value is
// not part of it.
type Credential struct {
	Address   string `json:"address"`
	Attribute string `json:"attribute"`
	// Kind is one of secret, certificate.
	Kind string `json:"kind"`
	// Value is the version of a secret, or the fingerprint of a certificate.
	Value plan.Pair `json:"value"`

	// domain is the one whose certificate it is, "" for that of a route.
	domain string
}

// What attributes have, by their names.
var (
	certificates = []string{"cert", "tls_ca", "source_client_cert"}
	// The blocks that have any of these, for one that is known after apply as a whole.
	credentialBlocks = []string{"mtls_config", "token_config", "auth_center", "oss", "odps", "database", "envs"}
	// The configuration text of a serving is shown with it.
	configTexts = []string{"serving_input_config", "input_config"}
)

func (b *builder) credentials() {
	for i := range b.objects {
		o := &b.objects[i]
		if !slices.Contains([]plan.Action{plan.Create, plan.Update, plan.Replace}, o.Action) {
			continue
		}
		found := credentialsOf(*o)
		b.report.Credentials = append(b.report.Credentials, found...)
		if o.Action == plan.Create {
			if b.isOtherKey(*o) {
				b.distrustHolder(*o)
			}
			continue
		}
		for _, c := range found {
			name := phrase.Show(c.Attribute)
			f := Finding{
				Address: o.Address, Categories: []category.Category{category.Secret}, kind: secretChanges, Effect: phrase.Say("changes {}", name),
				subject: phrase.Say("{} of {} ({})", name, o.Title(), c.phrase()),
			}
			if c.Kind == "certificate" {
				f.kind = certificateChanges
			}
			switch {
			case c.Attribute == "cert" && b.isOtherKey(*o):
				id := o.After.At("domain_id")
				f.kind, f.Categories = keyChanges, []category.Category{category.Granted, category.Secret}
				f.subject = phrase.Say("{} ({})", plan.Shown(id.Text()), c.phrase())
				b.distrustHolder(*o)
			case slices.Contains(routeAuthorities, c.Attribute):
				source, destination := o.After.At("source").Text(), o.After.At("destination").Text()
				requests := requestsPhrase(source, destination)
				f.kind, f.Categories = authorityChanges, []category.Category{category.Granted, category.Secret}
				f.subject = phrase.Say("{} ({})", requests, c.phrase())
				b.agree(phrase.Say("Agree that requests {} go to whom another CA vouches for: {}", requests, c.phrase()), source, destination)
			}
			b.find(f)
		}
	}
}

// distrustHolder notes that who holds the key of the certificate of a domain may act as it.
func (b *builder) distrustHolder(o plan.Object) {
	id := o.After.At("domain_id")
	b.distrust(o.Address, id, o.Action == plan.Create, phrase.Say("Agree that who holds another key may act as {}", plan.Shown(id.Text())))
}

// isOtherKey reports whether who holds another key may act as a domain from then on. A first certificate of
// the configuration gives it to somebody; that of a node that has joined, or will, is how a domain begins.
func (b *builder) isOtherKey(o plan.Object) bool {
	before, after := o.Before.At("cert"), o.After.At("cert")
	switch {
	case o.Kind != "kuscia_domain", o.IsKnownAnother(), plan.IsUnset(after), sameCertificates(before, after):
		return false
	case plan.IsUnset(before):
		return !b.isDrift && (!after.IsUnknown() || b.blocks.Of(o.Address).MaySet("cert"))
	}
	return true
}

// credentialsOf are the credentials of an object that change.
func credentialsOf(o plan.Object) []Credential {
	var all []Credential
	var walk func(at []string, before, after plan.Value)
	walk = func(at []string, before, after plan.Value) {
		if len(at) > plan.MaxDepth || !plan.Differs(before, after) {
			return
		}
		if len(at) > 0 {
			if c, ok := newCredential(o, at, before, after); ok {
				all = append(all, c)
				return
			}
		}
		for _, key := range plan.MergeKeys(before, after) {
			walk(append(slices.Clone(at), key), before.At(key), after.At(key))
		}
	}
	walk(nil, o.Before, o.After)
	return all
}

func newCredential(o plan.Object, at []string, before, after plan.Value) (Credential, bool) {
	name, attribute := at[len(at)-1], strings.Join(at, ".")
	c := Credential{Address: o.Address, Attribute: attribute, domain: o.Latest().At("domain_id").Name()}
	sensitive := before.WholeSensitive() && before.Raw != nil || after.WholeSensitive() && after.Exists()
	switch {
	case slices.Contains(configTexts, name):
		return c, false
	case strings.HasSuffix(name, "_wo_version"):
		c.Kind, c.Attribute = "secret", strings.TrimSuffix(attribute, "_wo_version")
	case o.Action == plan.Create && after.IsUnknown() && !sensitive: // the server may make one
		return c, false
	case sensitive, slices.Contains(credentialBlocks, name) && after.IsUnknown() && len(before.AllKeys()) == 0:
		c.Kind = "secret"
	case slices.Contains(certificates, name) && (before.Exists() || after.Exists()):
		return certificate(c, before, after)
	default:
		return c, false
	}
	c.Value = plan.NewPair(before, after)
	return c, c.Value.Changed() || sensitive
}

// certificate completes a certificate, unless it is only encoded in another way.
func certificate(c Credential, before, after plan.Value) (Credential, bool) {
	c.Kind, c.Value = "certificate", plan.Pair{Before: fingerprint(before), After: fingerprint(after)}
	return c, !sameCertificates(before, after)
}

// sameCertificates reports whether two texts have the same certificates, in any encoding.
func sameCertificates(before, after plan.Value) bool {
	old, current := certificatesOf(before), certificatesOf(after)
	return len(old) > 0 && slices.EqualFunc(old, current, bytes.Equal)
}

// certificatesOf are the DER forms of what a text has in PEM, also as base64 of it; none if it
// is not known or has another form.
func certificatesOf(v plan.Value) [][]byte {
	rest := []byte(v.ID())
	if block, _ := pem.Decode(rest); block == nil {
		if decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(v.ID())); err == nil {
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

// noCertificate stands for the fingerprint of a text without a certificate.
const noCertificate = "(not PEM)"

// fingerprint identifies a certificate or key: the beginning of the SHA-256 of
// its DER form, as openssl x509 -fingerprint -sha256 shows it.
func fingerprint(v plan.Value) string {
	all := certificatesOf(v)
	switch {
	case v.Name() == "":
		return v.Text()
	case len(all) == 0:
		return noCertificate
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
func (c Credential) phrase() phrase.Phrase {
	isCertificate := c.Kind == "certificate"
	switch {
	case c.Value.Before == plan.SensitiveText && c.Value.After == plan.SensitiveText:
		return phrase.Say("another value")
	case isCertificate && c.Value.After == plan.UnknownText && c.Value.Before == "":
		return phrase.Say("one that is known after apply")
	case isCertificate && c.Value.After == plan.UnknownText:
		return phrase.Say("another one, which is known after apply")
	case isCertificate && c.Value.Before == c.Value.After:
		return phrase.Say("another value")
	case c.Value.Before == "" && c.Value.After == plan.SensitiveText:
		return phrase.Say("set")
	case c.Value.After == "":
		return phrase.Say("removed")
	case c.Kind == "secret" && strings.HasPrefix(c.Value.After, "("):
		return c.Value.Phrase()
	case c.Kind == "secret":
		return phrase.Say("version {}", c.Value.Phrase())
	}
	shown := func(fingerprint string) phrase.Phrase {
		if fingerprint == noCertificate {
			return phrase.Say(noCertificate)
		}
		return plan.Shown(fingerprint)
	}
	if c.Value.Before == "" {
		return shown(c.Value.After)
	}
	return phrase.Say("{} → {}", shown(c.Value.Before), shown(c.Value.After))
}
