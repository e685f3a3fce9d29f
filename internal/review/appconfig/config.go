// Package appconfig reads the configuration text of a serving: the model and the features of
// each party, and what changes.
package appconfig

import (
	"maps"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
)

// Config is the configuration text of a serving: JSON, or what the application takes as such.
type Config struct {
	// Root is the decoded text.
	Root any
	// known: the text is such, and may be shown.
	Known bool
	// exists: there is a text, and isUnique: no object in it has a key twice.
	exists, isUnique bool
	// application is set if it is one for SecretFlow-Serving.
	application *secretflow.Text
}

func has(object map[string]any, key string) bool {
	_, ok := object[key]
	return ok
}

// Change is the text before and after.
type Change struct {
	Before, After Config
	// Differs: the texts differ in more than white space and the order of keys.
	Differs bool
	// OnlyInText: something differs that Differences does not have, such as an escape of one character. Only the texts
	// show it.
	OnlyInText bool
}

// ReadChange reads the text before and after.
func ReadChange(before, after plan.Value) Change {
	c := Change{Before: readConfig(before), Differs: plan.Differs(before, after)}
	if c.After = c.Before; before.Name() == "" || before.Name() != after.Name() {
		c.After = readConfig(after)
	}
	if !c.Differs || !c.Before.Known || !c.After.Known {
		return c
	}
	was, is := c.Before.written(before), c.After.written(after)
	if was == nil || is == nil {
		c.OnlyInText = true
		return c
	}
	// Each difference in what is read is one in what is written.
	written := plan.Differences(plan.Value{Raw: was}, plan.Value{Raw: is})
	c.Differs, c.OnlyInText = len(written) > 0, len(written) > len(c.Differences())
	return c
}

// written is the text without any loss but that of spelling; nil if it is no JSON in which each key is once.
func (c Config) written(v plan.Value) any {
	if !c.isUnique {
		return nil
	}
	return secretflow.Written(v.Name())
}

func readConfig(v plan.Value) Config {
	text := v.Name()
	if text == "" {
		return Config{exists: v.Exists() && v.Raw != ""}
	}
	if len(text) > maxText {
		return Config{exists: true}
	}
	// The application takes more than JSON.
	parsed := secretflow.ParseText(text)
	c := Config{Root: parsed.Value(), exists: true, isUnique: parsed.RepeatedKey() == nil}
	c.Known = c.Root != nil
	if object, ok := c.Root.(map[string]any); ok && (has(object, "partyConfigs") || has(object, "party_configs")) {
		c.application = parsed
	}
	return c
}

// Causes are the keys of the text that change, never their values.
func (c Change) Causes(attribute string) []string {
	if !c.Before.Known || !c.After.Known {
		return []string{attribute}
	}
	var all []string
	for _, path := range plan.ChangedPaths(plan.Value{Raw: c.Before.Root}, plan.Value{Raw: c.After.Root}, 5) {
		all = append(all, attribute+": "+path)
	}
	if len(all) == 0 {
		return []string{attribute}
	}
	return all
}

// The keys of a text by which reviewers know a model, in lower case without separators.
var (
	modelNames = []string{"modelid", "modelname", "model"}
	modelPaths = []string{"sourcepath", "modelpath", "modeluri", "modelfile", "modelurl"}
)

// Model is what a configuration calls the model of a domain: its id, where it is from, and where
// its features are from; "" if it says nothing. In a text for SecretFlow-Serving each domain has
// its own part. Of other texts only the keys at the top are for all of them.
func (c Config) Model(domain string) string {
	object, _ := c.Root.(map[string]any)
	var found []string
	if c.application == nil {
		for _, names := range [][]string{modelNames, modelPaths} {
			found = append(found, WithoutCredentials(first(object, names)))
		}
	} else if part, ok := c.application.Part(domain); ok {
		found = []string{WithoutCredentials(part.Model), strings.TrimSpace(part.SourceType + " " + WithoutCredentials(part.Source))}
		if part.Features != "" {
			found = append(found, "features: "+c.Features(domain))
		}
	}
	return strings.Join(slices.DeleteFunc(found, func(text string) bool { return text == "" }), ", ")
}

// first is the text of the first key of an object with one of the names.
func first(object map[string]any, names []string) string {
	for _, name := range names {
		for _, key := range slices.Sorted(maps.Keys(object)) {
			if text, _ := object[key].(string); normalKey(key) == name && text != "" {
				return text
			}
		}
	}
	return ""
}

var separators = strings.NewReplacer("_", "", "-", "")

func normalKey(key string) string { return separators.Replace(strings.ToLower(key)) }

// maxText is more than any application can get, which is in a variable of its environment.
const maxText = 1 << 20

// cut stands for what an address loses.
const cut = "…"

// WithoutCredentials removes what an address, or what looks like one, may have of these: a user, and the
// query, parameters and fragment. It says where something was.
func WithoutCredentials(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		scheme, rest = "", address
		before, after, _ := strings.Cut(address, "@")
		if !strings.Contains(before, ":") || strings.HasPrefix(after, "sha256:") || after == "" { // the second is an image
			return address
		}
	} else {
		scheme += "://"
	}
	end := len(rest)
	if at := strings.IndexAny(rest, "?#;"); at >= 0 {
		end = at
	}
	authority, _, _ := strings.Cut(rest[:end], "/")
	_, port, isPair := strings.Cut(authority, ":")
	isPair = isPair && strings.Trim(port, "0123456789") != "" // or a port
	switch at := strings.LastIndex(rest[:end], "@"); {
	case at >= 0 && (isPair || strings.Contains(authority, "@")):
		rest, end = cut+rest[at:], len(cut)+end-at
	case isPair && strings.Contains(rest, "@"): // a password may have any character
		return scheme + cut
	}
	if end < len(rest) {
		rest = rest[:end+1] + cut
	}
	return scheme + rest
}

// Known reports whether both texts are for SecretFlow-Serving, of which it is known what they decide.
func (c Change) Known() bool { return c.Before.isDecided() && c.After.isDecided() && !c.OnlyInText }

func (c Config) isDecided() bool { return c.application != nil && c.isUnique }

// Features is where the features of a domain come from: their kind with the endpoint or file, "" for
// none.
func (c Config) Features(domain string) string {
	if c.application == nil {
		return ""
	}
	part, ok := c.application.Part(domain)
	if !ok || part.Features == "" {
		return ""
	}
	return strings.TrimSpace(part.Features + " " + WithoutCredentials(part.FeatureSource))
}

// ReadsFeatures reports whether a party reads features in the text after the change, or may do so: no
// made-up ones.
func (c Change) ReadsFeatures() bool {
	if c.After.application == nil || !c.After.isUnique { // whatever it is, it may say where data is
		return c.After.exists
	}
	for _, domain := range c.After.application.Domains() {
		if part, ok := c.After.application.Part(domain); ok && part.Features != "" && part.Features != mocked {
			return true
		}
	}
	return false
}

// mocked is the kind of features that are made up.
const mocked = "mockOpts"

// ChangesFeatures reports whether what a party reads as features changes.
func (c Change) ChangesFeatures() bool { return slices.ContainsFunc(c.Differences(), isOfFeatures) }

// FeatureChanges are the differences of what a domain reads as features: from where, and what of it.
func (c Change) FeatureChanges(domain string) []plan.Difference {
	return slices.DeleteFunc(c.Differences(), func(d plan.Difference) bool { return len(d.Path) < 2 || d.Path[1] != domain || !isOfFeatures(d) })
}

func isOfFeatures(d plan.Difference) bool {
	return slices.ContainsFunc(d.Path, func(key string) bool { return strings.HasPrefix(normalKey(key), "feature") })
}

// Differences are the smallest parts in which the texts differ.
func (c Change) Differences() []plan.Difference {
	return plan.Differences(plan.Value{Raw: c.Before.Root}, plan.Value{Raw: c.After.Root})
}

// Readable reports whether both texts can be compared part by part. One that is not there has no
// parts.
func (c Change) Readable() bool {
	return (c.Before.Known || !c.Before.exists) && (c.After.Known || !c.After.exists) && (c.Before.Known || c.After.Known)
}
