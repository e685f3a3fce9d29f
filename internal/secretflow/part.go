package secretflow

import (
	"slices"
	"strings"
)

// What the application refuses of a party's own part after it has read the text: only this party
// does not start.

// codes of the application (apis/error_code.proto), and noCode for an error without one.
const (
	codeUnexpected      = 2
	codeInvalidArgument = 3
	codeLogic           = 7
	codeIO              = 10
	noCode              = -1
)

// ownPart returns the problems of the part of a domain.
func (t *Text) ownPart(domain string) (found problems) {
	if t.unreadable {
		return found
	}
	part, ok := t.parts[domain]
	if !ok {
		found.add(Problem{
			Place: InText, Path: fieldPartyConfigs, Named: fieldPartyConfigs, What: "The party has no part of the text.",
			Allowed: "Each party needs one, with its domain as the key.",
			Answers: []Answer{{Versions: allVersions, Stage: StageParse, Code: codeInvalidArgument, Text: "iter != serving_config.party_configs().end(). ", order: orderOwnPart}},
		})
		return found
	}
	at := fieldPartyConfigs + "." + domain + "."
	found.model(at+fieldModel, part.get(partyConfig, fieldModel))
	found.features(at+fieldFeatures, part.get(partyConfig, fieldFeatures))
	found.mapping(at+fieldServer+"."+fieldMapping, part.get(partyConfig, fieldServer).get(serverConfig, fieldMapping))
	found.channel(at+fieldChannel+"."+fieldProtocol, part.get(partyConfig, fieldChannel))
	return found
}

func (ps *problems) model(at string, model *node) {
	name, number := sourceTypeOf(model)
	if set := model.get(modelConfig, fieldSourceType); name == "" && !set.isInt32() {
		return // the parser refuses it
	}
	path := at + "." + fieldSourceType
	refuse := func(what, unread, shown string, versions Versions) {
		ps.add(Problem{
			Place: InText, Path: path, Named: path, What: what, Allowed: "Allowed are " + strings.Join(sourceTypeNames(), ", ") + ".",
			Answers: []Answer{{Versions: versions, Stage: StageModel, Code: noCode, Text: "no creator registered for source type: " + shown}},
			unread:  unread,
		})
	}
	switch {
	case name == "":
		refuse("The application has no such source of a model.", noneHas+"this source of a model.", "", allVersions)
	case number == 0:
		refuse("The source of the model is missing.", "", name, allVersions)
	default:
		if missing := allVersions &^ sourceTypes.values[number].versions; missing != 0 && model.get(modelConfig, fieldSourceType).text != name { // else the parser refuses the name
			refuse("The application has this source of a model since "+sourceTypes.values[number].versions.first()+".", "", "", missing)
		}
	}
	if name == "ST_HTTP" && model.string(modelConfig, fieldSourcePath) == "" {
		path := at + "." + fieldSourcePath
		ps.add(Problem{
			Place: InText, Path: path, Named: path, What: "A model of ST_HTTP needs the URL from which it is fetched.",
			Answers: []Answer{{Versions: allVersions, Stage: StageModel, Code: codeInvalidArgument, Text: "http source endpoint is empty"}},
		})
	}
}

// sourceTypeNames are the sources that a model can have.
func sourceTypeNames() []string {
	var names []string
	for _, v := range sourceTypes.values[1:] {
		names = append(names, v.name)
	}
	return names
}

func (ps *problems) features(at string, features *node) {
	if features == nil {
		return
	}
	kinds := slices.DeleteFunc(slices.Clone(featureSource.fields), func(f field) bool { return features.get(featureSource, f.name) == nil })
	if len(kinds) == 0 {
		ps.add(Problem{
			Place: InText, Path: at, Named: at, What: "The source of the features is empty.",
			Allowed: "Leave it out, or set one of mockOpts, httpOpts and csvOpts.",
			Answers: []Answer{{Versions: allVersions, Stage: StageFeatures, Code: noCode, Text: "no creator registered for operator type: 0", order: orderFeatureSource}},
		})
		return
	}
	at += "." + kinds[0].name
	switch set := features.get(featureSource, kinds[0].name); kinds[0].name {
	case fieldStreaming:
		ps.add(Problem{
			Place: InText, Path: at, Named: at, What: "These features are only for the inferencer tool, not for a serving.",
			Allowed: "Allowed are mockOpts, httpOpts and csvOpts.",
			Answers: []Answer{{Versions: since(7), Stage: StageFeatures, Code: codeLogic, Text: "streaming adpater is allowed only when using the inferencer tool", order: orderFeatureSource}}, //nolint:misspell // as the application says it
		})
	case fieldHTTP:
		if set.string(kinds[0].of, fieldEndpoint) == "" {
			at += "." + fieldEndpoint
			ps.add(Problem{
				Place: InText, Path: at, Named: at, What: "Features by HTTP need the URL of the service.",
				Answers: []Answer{{Versions: allVersions, Stage: StageFeatures, Code: codeUnexpected, Text: "failed to init brpc channel to host=", order: orderFeatureSource}},
			})
		}
	}
}

func (ps *problems) mapping(at string, mapping *node) {
	if mapping == nil {
		return
	}
	seen := make(map[string]bool, len(mapping.nodes))
	for i := range mapping.nodes {
		name := mapping.nodes[i].text
		if seen[name] {
			ps.add(Problem{
				Place: InText, Path: at, Named: at, What: "Two features are mapped to one feature of the model.", Quote: quote(name),
				Answers: []Answer{{Versions: allVersions, Stage: StageFeatures, Code: codeInvalidArgument, Text: "found duplicate feature mapping value:" + name}},
			})
			return
		}
		seen[name] = true
	}
}

// noProtocols are names that look like protocols and that the application's RPC library lacks.
var noProtocols = []string{"grpc", "https"}

// noChannel is the answer of an application that cannot reach its peers.
var noChannel = Answer{Versions: allVersions, Stage: StageChannels, Code: codeUnexpected, Text: "failed to init brpc channel to host="}

func (ps *problems) channel(at string, channel *node) {
	if protocol := channel.protocol(); slices.Contains(noProtocols, protocol) {
		ps.add(Problem{
			Place: InText, Path: at, Named: at, What: "The application has no such protocol.", Quote: quote(protocol),
			Allowed: "Usual are http, h2 and baidu_std.", Answers: []Answer{noChannel},
		})
	}
}

// protocol is the protocol of a channelDesc.
func (v *node) protocol() string { return strings.ToLower(v.string(channelDesc, fieldProtocol)) }

// needsLoadBalancer reports whether a party reaches the others only with the load balancer of the
// application, which takes their HTTP addresses with any protocol.
func (t *Text) needsLoadBalancer(domain string) bool {
	part, ok := t.parts[domain]
	return ok && !slices.Contains(append([]string{"http", "h2"}, noProtocols...), part.get(partyConfig, fieldChannel).protocol())
}
