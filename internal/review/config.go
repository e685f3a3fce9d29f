package review

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
)

// config is the configuration text of a serving: JSON, or what the application takes as such.
type config struct {
	root any
	// known: the text is such, and may be shown.
	known bool
	// application is set if it is one for SecretFlow-Serving.
	application *secretflow.Text
}

func has(object map[string]any, key string) bool {
	_, ok := object[key]
	return ok
}

// configChange is the text before and after.
type configChange struct {
	before, after config
	// differs: another meaning, not only another spelling.
	differs bool
}

func readConfigs(before, after value) configChange {
	c := configChange{before: readConfig(before), after: readConfig(after), differs: differs(before, after)}
	if c.before.known && c.after.known {
		c.differs = differs(value{raw: c.before.root}, value{raw: c.after.root})
	}
	return c
}

func readConfig(v value) config {
	text := v.name()
	if text == "" {
		return config{}
	}
	// The application takes more than JSON.
	parsed := secretflow.ParseText(text)
	c := config{root: parsed.Value(), known: true}
	if c.root == nil {
		c.known = json.Unmarshal([]byte(text), &c.root) == nil
	}
	if object, ok := c.root.(map[string]any); ok && (has(object, "partyConfigs") || has(object, "party_configs")) {
		c.application = parsed
	}
	return c
}

// causes are the keys of the text that change, never their values.
func (c configChange) causes(attribute string) []string {
	if !c.before.known || !c.after.known {
		return []string{attribute}
	}
	var all []string
	for _, path := range changedPaths(value{raw: c.before.root}, value{raw: c.after.root}, 5) {
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

// model is what a configuration calls the model of a domain: its id, where it is from, and where
// its features are from; "" if it says nothing. In a text for SecretFlow-Serving each domain has
// its own part. Of other texts only the keys at the top are for all of them.
func (c config) model(domain string) string {
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
