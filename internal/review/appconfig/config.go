// Package appconfig reads the configuration text of a serving: the model and the features of
// each party, and what changes.
package appconfig

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
)

// Config is the configuration text of a serving: JSON, or what the application takes as such.
type Config struct {
	root any
	// known: the text is such, and may be shown.
	Known bool
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
	// differs: another meaning, not only another spelling.
	Differs bool
}

// ReadChange reads the text before and after.
func ReadChange(before, after plan.Value) Change {
	c := Change{Before: readConfig(before), After: readConfig(after), Differs: plan.Differs(before, after)}
	if c.Before.Known && c.After.Known {
		c.Differs = plan.Differs(plan.Value{Raw: c.Before.root}, plan.Value{Raw: c.After.root})
	}
	return c
}

func readConfig(v plan.Value) Config {
	text := v.Name()
	if text == "" {
		return Config{}
	}
	// The application takes more than JSON.
	parsed := secretflow.ParseText(text)
	c := Config{root: parsed.Value(), Known: true}
	if c.root == nil {
		c.Known = json.Unmarshal([]byte(text), &c.root) == nil
	}
	if object, ok := c.root.(map[string]any); ok && (has(object, "partyConfigs") || has(object, "party_configs")) {
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
	for _, path := range plan.ChangedPaths(plan.Value{Raw: c.Before.root}, plan.Value{Raw: c.After.root}, 5) {
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
	object, _ := c.root.(map[string]any)
	var found []string
	if c.application == nil {
		for _, names := range [][]string{modelNames, modelPaths} {
			found = append(found, withoutCredentials(first(object, names)))
		}
	} else if part, ok := c.application.Part(domain); ok {
		found = []string{part.Model, strings.TrimSpace(part.SourceType + " " + withoutCredentials(part.Source))}
		if part.Features != "" {
			found = append(found, strings.TrimSpace("features: "+part.Features+" "+withoutCredentials(part.FeatureSource)))
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

var userInfo = regexp.MustCompile(`://[^/@\s]*@`)

// withoutCredentials removes what an address may have of these.
func withoutCredentials(address string) string {
	if !strings.Contains(address, "://") {
		return address
	}
	address, _, _ = strings.Cut(address, "?")
	return userInfo.ReplaceAllString(address, "://")
}
