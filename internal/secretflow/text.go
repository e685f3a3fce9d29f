package secretflow

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// MaxText is the maximum length of a configuration text in bytes: Linux starts no process with a
// longer INPUT_CONFIG in its environment.
const MaxText = 131072 - len("INPUT_CONFIG=") - 1

// Text is a configuration text.
type Text struct {
	root  node
	parts map[string]*node
	// predictors are the parties that answer predictions, nullPredictor is set if null is among
	// them.
	predictors    []string
	nullPredictor bool
	// problems stop the application of every party that reads the text.
	problems []Problem
	// unreadable is set if there is nothing to be read.
	unreadable bool
}

// ParseText reads a configuration text.
func ParseText(text string) *Text {
	if len(text) > MaxText {
		return &Text{unreadable: true, problems: []Problem{{
			Place: InText, What: fmt.Sprintf("The text has %d bytes, and Linux starts no process with more than %d in INPUT_CONFIG.", len(text), MaxText),
			Answers: []Answer{{Versions: allVersions, Stage: StageExec, Text: "argument list too long"}},
		}}}
	}
	root, failed := parseJSON(text)
	if failed == nil && root.kind != objectNode {
		failed = &syntaxError{says: ": Root element must be a message."}
	}
	if failed != nil {
		return &Text{unreadable: true, problems: []Problem{notJSON(text, failed, allVersions)}}
	}
	c := converter{}
	c.message(servingConfig, &root)
	parsed := &Text{root: root, problems: c.all, parts: map[string]*node{}}
	for i := range root.nodes {
		member := &root.nodes[i]
		if !isPartyMap(member.name) {
			continue
		}
		for j := range member.nodes {
			parsed.parts[member.nodes[j].name] = &member.nodes[j]
		}
	}
	parsed.readPredictors()
	return parsed
}

// notJSON is the problem of a text that is no JSON object.
func notJSON(text string, failed *syntaxError, versions Versions) Problem {
	before := text[:failed.at]
	what := fmt.Sprintf("The text is not the JSON object that the application reads: line %d, character %d.",
		strings.Count(before, "\n")+1, len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))+1)
	if strings.TrimSpace(text) == "" {
		what = "The text is empty, and the application reads a JSON object."
	}
	return Problem{
		Place: InText, What: what, Allowed: "Write it with jsonencode().",
		Answers: []Answer{{Versions: versions, Stage: StageParse, Code: codeJSON, Text: jsonFailed + failed.says}},
	}
}

// readPredictors reads the parties that answer predictions, all if there are none. A single one
// need not be in a list.
func (t *Text) readPredictors() {
	found := t.root.get(servingConfig, fieldPredictors)
	if found == nil {
		return
	}
	if found.kind == stringNode {
		t.predictors = []string{found.text}
	}
	for i := range found.nodes {
		if n := &found.nodes[i]; n.kind == stringNode {
			t.predictors = append(t.predictors, n.text)
		} else if n.kind == nullNode {
			t.nullPredictor = true // the newest parser reads "", others nothing
		}
	}
}

// get returns the value of a field of a message, of which a text may have several: the last one.
// nil: it is not set.
func (v *node) get(m *message, name string) *node {
	if v == nil || v.kind != objectNode {
		return nil
	}
	var found *node
	for i := range v.nodes {
		member := &v.nodes[i]
		if f := m.byName[member.name]; f != nil && f.name == name && member.kind != nullNode {
			found = member
		}
	}
	return found
}

// string returns the value of a field, or "".
func (v *node) string(m *message, name string) string {
	if found := v.get(m, name); found != nil {
		return found.text
	}
	return ""
}

// Value returns the text as encoding/json decodes one with its numbers as they are written, but with all values of
// a key that an object has more than once: "a", "a (2)". nil if the application cannot read it.
func (t *Text) Value() any {
	if t.unreadable {
		return nil
	}
	return t.root.value()
}

// Written returns a text that is JSON like Value, but with all strings, keys and null as they are written: nothing
// of it is lost but white space and the order of keys. nil if it is no JSON, or the application cannot read it.
func Written(text string) any {
	if len(text) > MaxText || !json.Valid([]byte(text)) {
		return nil
	}
	p := jsonParser{text: text, asWritten: true}
	root, failed := p.parse()
	if failed != nil {
		return nil
	}
	return root.value()
}

// RepeatedKey is the path of the first key that an object has twice, in any spelling, nil for none: the
// application merges some of these, and other readers take one.
func (t *Text) RepeatedKey() []string { return t.root.repeatedKey() }

func (v *node) repeatedKey() []string {
	seen := make(map[string]bool, len(v.nodes))
	for i := range v.nodes {
		member := &v.nodes[i]
		if v.kind == objectNode {
			key := strings.ToLower(strings.ReplaceAll(member.name, "_", "")) // model_config is modelConfig
			if seen[key] {
				return []string{member.name}
			}
			seen[key] = true
		}
		if below := member.repeatedKey(); below != nil {
			return append([]string{member.name}, below...) // "" for an element of a list
		}
	}
	return nil
}

// Domains returns those that have a part.
func (t *Text) Domains() []string { return slices.Sorted(maps.Keys(t.parts)) }

// isPartyMap reports whether a member has the parties, in either spelling.
func isPartyMap(name string) bool {
	return servingConfig.byName[name] == servingConfig.byName[fieldPartyConfigs]
}

func (v *node) value() any {
	switch v.kind {
	case objectNode:
		object, count := make(map[string]any, len(v.nodes)), map[string]int{}
		for i := range v.nodes {
			key := v.nodes[i].name
			for _, taken := object[key]; taken; _, taken = object[key] {
				count[v.nodes[i].name]++
				key = fmt.Sprintf("%s (%d)", v.nodes[i].name, count[v.nodes[i].name]+1)
			}
			object[key] = v.nodes[i].value()
		}
		return object
	case listNode:
		list := make([]any, len(v.nodes))
		for i := range v.nodes {
			list[i] = v.nodes[i].value()
		}
		return list
	case boolNode:
		return v.text == "true"
	case numberNode:
		return json.Number(v.text)
	case nullNode:
		return nil
	case stringNode:
	}
	return v.text
}

// Part is what the text says about a party.
type Part struct {
	// Model is its modelId, SourceType the name of where the model comes from, "" if it is not set
	// or has none, and Source the path or address there.
	Model, SourceType, Source string
	// Features is the kind of its features: the name of a member of featureSourceConfig.
	Features string
	// FeatureSource is the endpoint or the file from which they come.
	FeatureSource string
}

// Part returns the part of a domain. ok is false if the text has none.
func (t *Text) Part(domain string) (p Part, ok bool) {
	part, ok := t.parts[domain]
	if !ok {
		return p, false
	}
	model := part.get(partyConfig, fieldModel)
	p.Model, p.Source = model.string(modelConfig, fieldModelID), model.string(modelConfig, fieldSourcePath)
	if name, number := sourceTypeOf(model); number != 0 {
		p.SourceType = name
	}
	features := part.get(partyConfig, fieldFeatures)
	for _, f := range featureSource.fields {
		if set := features.get(featureSource, f.name); set != nil {
			p.Features, p.FeatureSource = f.name, set.string(f.of, fieldEndpoint)+set.string(f.of, fieldFilePath)
		}
	}
	return p, true
}

// sourceTypeOf returns the name of the source type of a model, "" for a number that has none.
func sourceTypeOf(model *node) (name string, number int32) {
	set := model.get(modelConfig, fieldSourceType)
	if set == nil {
		return sourceTypes.values[0].name, 0
	}
	n, isNumber := parseNumber(set.text)
	for _, v := range sourceTypes.values {
		if v.name == set.text || isNumber && n == float64(v.number) {
			return v.name, v.number
		}
	}
	return "", int32(n)
}
