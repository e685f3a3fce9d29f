package secretflow

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/configtemplate"
)

// The keys of the configuration file in Kuscia's mode. Each has JSON in a string.
const (
	keyServingID      = "serving_id"
	keyInputConfig    = "input_config"
	keyClusterDef     = "cluster_def"
	keyAllocatedPorts = "allocated_ports"
	keyOSSMeta        = "oss_meta"
	keySPITLSConfig   = "spi_tls_config"
	keyHTTPSourceMeta = "http_source_meta"
)

// constants are the names of the keys in the source of 0.7 and later, which its messages show.
var constants = map[string]string{
	keyServingID: "kServingIdKey", keyInputConfig: "kInputConfigKey", keyClusterDef: "kClusterDefKey", keyAllocatedPorts: "kAllocatedPortKey", keyOSSMeta: "kOssMetaKey",
}

// variables are what Kuscia fills the keys with.
var variables = map[string]string{
	keyServingID: "SERVING_ID", keyInputConfig: "INPUT_CONFIG", keyClusterDef: "CLUSTER_DEFINE", keyAllocatedPorts: "ALLOCATED_PORTS",
	keyOSSMeta: "SERVING_OSS_META", keySPITLSConfig: "SERVING_SPI_TLS_CONFIG", keyHTTPSourceMeta: "SERVING_HTTP_SOURCE_META",
}

// fileFailed begins what the application says of a file that is no JSON.
const fileFailed = "Failed to parse config str to json"

// crashed stands for an end without a message, by signal 11.
const crashed = "crash, signal 11"

// fileChecker checks the configuration file of a container.
type fileChecker struct {
	partyChecker
	*file
	container *Container
	flags     *flags
	// name is the name of the template, input the configuration text as it is in the environment;
	// nil if it is not known.
	name  string
	input *string
}

// file is a configuration file that was read.
type file struct {
	root node
	// isJSON is set if it is JSON, which is stricter here than in the configuration text.
	isJSON bool
	// unread is set for a file that the application may read and this package does not: with more
	// levels, which its parser does not bound, or with longer numbers.
	unread bool
}

// readFile reads a file that was rendered, which parties mostly have in common.
func (r *read) readFile(rendered string) *file {
	known := r.files[rendered]
	if known == nil {
		known = &file{isJSON: json.Valid([]byte(rendered))}
		var failed *syntaxError
		if known.isJSON {
			known.root, failed = parseJSON(rendered)
		}
		known.unread = failed != nil || levels(rendered) > maxDepth
		r.files[rendered] = known
	}
	return known
}

// levels returns how many levels of objects and lists a file has outside of strings.
func levels(text string) (most int) {
	inString, level := false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			level++
			most = max(most, level)
		case c == '}' || c == ']':
			level--
		}
	}
	return most
}

// refuse adds a problem of the template, or of the key of it.
func (f *fileChecker) refuse(key, what, allowed string, answers ...Answer) {
	at := templatePath(f.name)
	if key != "" {
		at += ", key " + key
	}
	f.inImage(at, what, allowed, answers...)
}

// mustBe says what the template has to have for a key.
func mustBe(key string) string {
	return fmt.Sprintf(`Write %q: "{{.%s}}".`, key, variables[key])
}

func (f *fileChecker) check() {
	rendered, err := f.render(f.container, f.name)
	if err != nil {
		f.text(f.container, f.flags)
		return
	}
	if f.file = f.readFile(rendered); f.unread {
		f.text(f.container, f.flags)
		return
	}
	if f.root.kind != objectNode {
		f.text(f.container, f.flags)
		f.broken(rendered)
		return
	}
	if f.flags.mode.known && !f.flags.mode.is("kuscia") {
		f.notInKusciaMode()
		return
	}
	f.key(keyServingID, orderServingID)
	f.document(keyClusterDef, orderClusterDef)
	f.all = append(f.all, f.unreachable.all...)
	f.document(keyAllocatedPorts, orderAllocatedPorts)
	content, ok := f.key(keyInputConfig, orderInputConfig)
	if !ok || strings.Contains(content, unknownValue) {
		return
	}
	if text := f.content(content); text != nil {
		f.readText(text, f.flags)
		f.service(text)
		f.metadata(text)
	}
}

// content returns the text of the key input_config; nil if it is not known or not to be read.
func (f *fileChecker) content(content string) *Text {
	if !strings.Contains(content, textValue) { // a text of the template's own
		text := f.parse(content)
		if text.unreadable {
			f.refuse(keyInputConfig, "The key does not have the configuration text.", mustBe(keyInputConfig), text.problems[0].Answers...)
			return nil
		}
		return text
	}
	if f.input == nil {
		return nil
	}
	if at, escaped, lost := configtemplate.IsLost(*f.input); lost && len(*f.input) <= MaxText {
		what := "The text is a JSON string, whose last quote is lost when Kuscia writes it into the file of the application."
		if escaped != "" {
			what = fmt.Sprintf("Kuscia writes the character at byte %d of the text as %s, which is no JSON, into the file of the application.", at, escaped)
		}
		f.add(Problem{Place: InText, What: what, Allowed: "Write the text with jsonencode().", Answers: []Answer{fileIsBroken}})
		return nil
	}
	if content == textValue {
		return f.parse(*f.input)
	}
	return f.parse(strings.ReplaceAll(content, textValue, *f.input))
}

// fileIsBroken is the answer for a file that is no JSON.
var fileIsBroken = Answer{Versions: allVersions, Stage: StageParse, Code: codeInvalidArgument, Text: fileFailed, order: orderFile}

// broken explains a file that is no JSON object.
func (f *fileChecker) broken(rendered string) {
	switch {
	case f.isJSON && (f.root.kind == listNode || f.root.kind == nullNode):
		f.refuse("", "The file is no JSON object.", mustBe(keyServingID), missingKey(keyServingID, orderServingID)...)
	case f.isJSON:
		f.refuse("", "The file is no JSON object.", mustBe(keyServingID), Answer{Versions: allVersions, Stage: StageParse, Text: crashed, order: orderServingID})
	case !strings.Contains(rendered, unknownValue):
		f.refuse("", "The file is no JSON: keys have to be in double quotes, without comments and commas at the end.", mustBe(keyInputConfig), fileIsBroken)
	}
}

// missingKey are the answers for a key that is missing or no string.
func missingKey(key string, order int) []Answer {
	return []Answer{
		{Versions: since(7), Stage: StageParse, Code: codeInvalidArgument, Text: "doc[" + constants[key] + "].IsString(). ", order: order},
		{Versions: before(7), Stage: StageParse, Code: codeInvalidArgument, Text: "doc[\"" + key + "\"].IsString(). ", order: order},
	}
}

// key returns the text of a key that the file needs.
func (f *fileChecker) key(key string, order int) (text string, ok bool) {
	if text, ok = f.optional(key); !ok {
		f.refuse(key, "The file needs this key, with a string.", mustBe(key), missingKey(key, order)...)
	}
	return text, ok
}

// optional returns the text of a key, if it is a string.
func (f *fileChecker) optional(key string) (text string, ok bool) {
	for i := range f.root.nodes {
		if n := &f.root.nodes[i]; n.name == key {
			return n.text, n.kind == stringNode
		}
	}
	return "", false
}

// document checks a key that needs JSON.
func (f *fileChecker) document(key string, order int) {
	text, ok := f.key(key, order)
	if !ok || strings.Contains(text, unknownValue) {
		return
	}
	if _, failed := parseJSON(text); failed != nil {
		f.refuse(key, "The key does not have what Kuscia tells the container.", mustBe(key),
			Answer{Versions: allVersions, Stage: StageParse, Code: codeJSON, Text: jsonFailed + failed.says, order: order})
	}
}

func (f *fileChecker) notInKusciaMode() {
	if _, is := f.optional(keyInputConfig); !is {
		return // a file for the other mode
	}
	f.inImage(f.at+".command", "The command lacks the flag --config_mode=kuscia, and the application reads the file as another one.", "Start "+exampleCommand+".",
		Answer{Versions: allVersions, Stage: StageParse, Code: codeJSON, Text: jsonFailed, order: orderFile})
}

// Names of ports.
const (
	portCommunication = "communication"
	portService       = "service"
)

// unreachable is the problem of all parties if one, by its index, lacks the port at which the
// others reach it.
func unreachable(n int, p *Party) Problem {
	return Problem{
		Place: InImage, AppImage: p.Image.AppImage, Path: p.Image.At + ".containers[0].ports", What: "The port communication is missing, at which the other parties reach the application.",
		Allowed: "Add it with the scope Cluster.",
		Answers: []Answer{
			{Versions: since(3), Stage: StageParse, Code: codeInvalidArgument, Text: "party " + p.Domain + " communication endpoint is empty.", order: orderAddresses},
			{Versions: before(3), Stage: StageChannels, Code: codeUnexpected, Text: "failed to init brpc channel to host=", order: n},
		},
	}
}

// service checks the port at which a party answers predictions.
func (f *fileChecker) service(text *Text) {
	if text.unreadable || len(text.predictors) > 0 && !slices.Contains(text.predictors, f.party.Domain) {
		return
	}
	number := text.parts[f.party.Domain].get(partyConfig, fieldServer).get(serverConfig, fieldServicePort)
	if number != nil || f.party.Image.hasPort(portService, func(Port) bool { return true }) {
		return // a number in the text serves as well
	}
	f.inImage(f.at+".ports", "The port service is missing, at which the application answers predictions.",
		"Add it, or leave the party out of predictorParties (since 0.8).",
		Answer{Versions: since(3), Stage: StageParse, Code: codeLogic, Text: "0 vs 0.get empty service port.", order: orderService})
}

// metadata checks the keys that depend on the model and the features of the party.
func (f *fileChecker) metadata(text *Text) {
	part, ok := text.parts[f.party.Domain]
	if !ok || text.unreadable {
		return
	}
	model := part.get(partyConfig, fieldModel)
	switch source, _ := sourceTypeOf(model); source {
	case "ST_OSS":
		f.ossMeta(model.get(modelConfig, fieldOSSMeta) != nil)
	case "ST_HTTP":
		f.meta(keyHTTPSourceMeta, httpSource, since(7))
	}
	if part.get(partyConfig, fieldFeatures).get(featureSource, fieldHTTP) != nil {
		f.meta(keySPITLSConfig, tlsConfig, allVersions)
	}
}

// ossMeta checks the access to object storage.
func (f *fileChecker) ossMeta(inText bool) {
	content, is := f.optional(keyOSSMeta)
	switch {
	case !is:
		answers := missingKey(keyOSSMeta, orderModelMeta)
		answers[0].Text = "doc.HasMember(kOssMetaKey)"
		f.refuse(keyOSSMeta, "A model of ST_OSS needs this key.", mustBe(keyOSSMeta), answers...)
	case content == "":
		answers := []Answer{{Versions: since(7), Stage: StageParse, Code: codeInvalidArgument, Text: "get empty `oss_meta`", order: orderModelMeta}}
		if !inText {
			answers = append(answers, Answer{Versions: before(7), Stage: StageModel, Code: codeInvalidArgument, Text: "failed to find oss source meta"})
		}
		f.stored(keyOSSMeta, "A model of ST_OSS needs the access to its storage, and the key is empty.", answers...)
	default:
		f.meta(keyOSSMeta, ossSource, allVersions)
	}
}

// meta checks JSON that comes from the configuration.
func (f *fileChecker) meta(key string, m *message, versions Versions) {
	content, is := f.optional(key)
	if !is || content == "" || strings.Contains(content, unknownValue) {
		return
	}
	var says, shown string
	root, failed := parseJSON(content)
	switch {
	case failed != nil:
		says = failed.says
	case root.kind != objectNode:
		says = ": Root element must be a message."
	default:
		c := converter{}
		if c.message(m, &root); len(c.all) == 0 {
			return
		}
		says = strings.TrimPrefix(c.all[0].Answers[0].Text, jsonFailed)
		shown = c.all[0].Answers[0].Shown
	}
	f.stored(key, "The value is not the JSON object that the application reads.", Answer{Versions: versions, Stage: StageParse, Code: codeJSON, Text: jsonFailed + says, Shown: shown, order: orderModelMeta})
}

// stored adds a problem of a key that is filled from the configuration of the domain.
func (f *fileChecker) stored(key, what string, answers ...Answer) {
	name := storeKey(f.party.Image.Templates[f.name], key)
	if name == "" {
		f.refuse(key, what, mustBe(key)[:len(mustBe(key))-1]+", without blanks in the braces: Kuscia looks up no others.", answers...)
		return
	}
	if _, own := f.variable(f.container, strings.ToUpper(name)); own { // which comes first
		f.inImage(f.at+".env", what, "Mend the variable "+name+", or leave it out and set it with kuscia_config.", answers...)
		return
	}
	f.add(Problem{Place: InStore, Path: name, What: what, Allowed: "Set it with kuscia_config in the domain of the party.", Answers: answers})
}

// storeKey returns the key of the configuration from which a key of a template is filled, or "".
func storeKey(template, key string) string {
	match := regexp.MustCompile(`"` + regexp.QuoteMeta(key) + `"\s*:\s*"\{\{\.([A-Za-z0-9_]+)\}\}"`).FindStringSubmatch(template)
	if match == nil {
		return ""
	}
	return match[1]
}
