package review

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// config is the configuration text of a serving as JSON.
type config struct {
	root any
	// known: the text is JSON that may be shown.
	known bool
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
	var c config
	c.known = json.Unmarshal([]byte(text), &c.root) == nil
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

// The keys by which reviewers know a model, in lower case without separators.
var (
	modelNames = []string{"modelid", "modelname", "model"}
	modelPaths = []string{"sourcepath", "modelpath", "modeluri", "modelfile", "modelurl"}
)

// model is what a configuration calls the model of a domain: its id and where
// it is from; "" if it says neither.
func (c config) model(domain string) string {
	root := c.root
	if parties, ok := find(root, []string{"partyconfigs", "parties"}, isObject, 3).(map[string]any); ok {
		if own, ok := parties[domain]; ok {
			root = own
		}
	}
	var found []string
	for _, names := range [][]string{modelNames, modelPaths} {
		if text, ok := find(root, names, isText, 6).(string); ok {
			found = append(found, withoutCredentials(text))
		}
	}
	return strings.Join(found, ", ")
}

func isObject(v any) bool { _, ok := v.(map[string]any); return ok }

func isText(v any) bool { text, ok := v.(string); return ok && text != "" }

// find searches an object, level by level, for a key with one of the names.
func find(root any, names []string, fits func(any) bool, levels int) any {
	level := []any{root}
	for range levels {
		var next []any
		for _, node := range level {
			object, ok := node.(map[string]any)
			if !ok {
				continue
			}
			keys := mergeKeys(value{raw: object}, value{})
			for _, name := range names {
				for _, key := range keys {
					if normalKey(key) == name && fits(object[key]) {
						return object[key]
					}
				}
			}
			for _, key := range keys {
				next = append(next, object[key])
			}
		}
		level = slices.Clip(next)
	}
	return nil
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
