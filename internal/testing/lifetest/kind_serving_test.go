package lifetest_test

import (
	"maps"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

func init() {
	lives["kuscia_serving"] = life{
		cli:     "party",
		servers: master,
		prepare: addImages,
		lists:   inCluster,
		minimal: func(name string) attrs {
			return attrs{"serving_id": name, "initiator": "alice", "parties": attrs{"alice": attrs{"app_image": firstImage}}}
		},
		variants: map[string]variant{
			"settings": {
				full: attrs{
					"serving_input_config": `{"a":"x","b":1}`, "redeploy_triggers": attrs{"a": "1"}, "follow_app_image": true, "check_application": true, "progress_deadline": "2m",
					"allow_removal_of": []any{"parties.template.spec.affinity"},
					"timeouts":         attrs{"create": "2m", "update": "2m", "delete": "2m"}, "wait_for_rollout": true,
				},
				changed: attrs{
					"serving_input_config": `{"a":"y"}`, "redeploy_triggers": attrs{"a": "2"}, "follow_app_image": false, "check_application": false, "progress_deadline": "3m",
					"allow_removal_of": []any{"parties.template.spec.containers.resources"},
					"timeouts":         attrs{"create": "3m", "update": "3m", "delete": "3m"}, "wait_for_rollout": false,
				},
				spelled: attrs{"serving_input_config": `{"b": 1, "a": "x"}`},
			},
			"replacing": {full: attrs{"replace_triggers": attrs{"a": "1"}}, changed: attrs{"replace_triggers": attrs{"a": "2"}}},
			"affinity":  {full: attrs{"affinity_mode": "affinity"}, changed: attrs{"affinity_mode": "none"}},
			"write-only": {
				full: attrs{"serving_input_config_wo": "one", "serving_input_config_wo_version": 1}, changed: attrs{"serving_input_config_wo": "two", "serving_input_config_wo_version": 2},
				hidden: []string{"serving_input_config"},
			},
			"party": servingParties,
			"strategy": {
				full: servingParty(attrs{"update_strategy": attrs{"max_surge": "1", "max_unavailable": "10%"}}), changed: servingParty(attrs{"update_strategy": attrs{"max_surge": "50%", "max_unavailable": "1"}}),
				spelled: servingParty(attrs{"update_strategy": attrs{"type": "RollingUpdate", "max_surge": "01", "max_unavailable": "010%"}}),
			},
			"defaults": {
				full: attrs{"wait_for_rollout": true}, changed: attrs{"wait_for_rollout": false},
				spelled: with(servingParty(attrs{
					"domain_id": "alice", "role": "", "replicas": 1, "service_name_prefix": "", "resources": attrs{}, "container_resources": attrs{},
					"update_strategy": attrs{"type": "RollingUpdate", "max_surge": "25%", "max_unavailable": "25%"},
				}), attrs{"affinity_mode": "anti-affinity", "follow_app_image": true, "check_application": true}),
			},
			"no text": {
				full: attrs{"serving_input_config": `{"a":1}`}, changed: attrs{}, replaced: []string{"serving_input_config"},
				driftAs: map[string][]string{"serving_input_config": nil}, // a text that is left out after an import is kept
			},
			"party less": {full: twoParties("alice"), changed: attrs{}, replaced: []string{"parties.bob"}, replacedBack: []string{"parties.bob"}},
			"party more": {full: attrs{}, changed: twoParties("alice"), replaced: []string{"parties.bob"}, replacedBack: []string{"parties.bob"}},
			"resources": {
				full: servingParty(attrs{"resources": amounts("100m", "1Gi")}), changed: servingParty(attrs{"resources": amounts("200m", "2Gi")}),
				hidden:   writtenByImport,
				together: amountsTogether("parties.alice.resources"),
			},
			"amount less": {
				full: servingParty(attrs{"resources": attrs{"min_cpu": "0.1", "max_cpu": "1"}}), changed: servingParty(attrs{"resources": attrs{"min_cpu": "0.1"}}),
				hidden: writtenByImport, replaced: []string{"parties.alice.resources.max_cpu"}, replacedBack: []string{"parties.alice.resources.max_cpu"},
			},
			"first amounts": {
				full: attrs{}, changed: servingParty(attrs{"resources": attrs{"max_cpu": "1"}}), hidden: writtenByImport,
				driftAs: map[string][]string{"parties.alice.resources": nil}, // amounts that nobody has configured are no difference
			},
			"containers": {
				from:    servingParty(attrs{"app_image": pairImage}), // the resources of containers that the pods do not have change no pod
				full:    servingParty(attrs{"app_image": pairImage, "container_resources": attrs{"main": attrs{"max_cpu": "2"}, "side": attrs{"max_memory": "1Gi"}}}),
				changed: servingParty(attrs{"app_image": pairImage, "container_resources": attrs{"main": attrs{"max_cpu": "3"}, "side": attrs{"max_memory": "2Gi"}}}),
				spelled: servingParty(attrs{"app_image": pairImage, "container_resources": attrs{"main": attrs{"max_cpu": "2000m"}, "side": attrs{"max_memory": "1024Mi"}}}),
			},
			"all containers": {
				full: servingParty(attrs{"app_image": pairImage, "resources": attrs{"max_cpu": "2"}}), changed: servingParty(attrs{"app_image": otherPairImage, "resources": attrs{"max_cpu": "3"}}),
				spelled: servingParty(attrs{"app_image": pairImage, "resources": nil, "container_resources": attrs{"main": attrs{"max_cpu": "2"}, "side": attrs{"max_cpu": "2000m"}}}),
				hidden:  writtenByImport, replaced: []string{"parties.alice.app_image"}, replacedBack: []string{"parties.alice.app_image"},
			},
			"initiator": {full: twoParties("alice"), changed: twoParties("bob")},
		},
		ofName: map[string]func(string) variant{
			"names": func(name string) variant { return partyNames(name, firstImage) },
		},
		settled: func(state protocol.State) bool {
			return state.Text("create_time") != "" && len(protocol.Fields(protocol.Fields(state.Value)["endpoints"])) > 0
		},
		besides:      func(string) attrs { return servingParty(attrs{"replicas": 2}) },
		replaced:     []string{"affinity_mode", "initiator", "replace_triggers"},
		replacements: map[string]func(string) attrs{"serving_id": func(name string) attrs { return attrs{"serving_id": name} }},
		unread:       []string{"affinity_mode"},
		warns:        []string{"Serving is replaced", "No party runs during the replacement", "Key of a party renamed", "is only stored", "was not observed to start", "Running pods do not get this change of the app image", "All pods of a party stop first"},
		bad: map[string]badInput{
			"id":        {attrs{"serving_id": "No.Name"}, "serving_id", "No.Name"},
			"initiator": {attrs{"initiator": "carol"}, "initiator", "carol"},
			"affinity":  {attrs{"affinity_mode": "anti"}, "affinity_mode", `"anti" is not allowed`},
			"replicas":  {servingParty(attrs{"replicas": -1}), "replicas", "-1"},
			"amount":    {servingParty(attrs{"resources": attrs{"min_cpu": "abc"}}), "min_cpu", "abc"},
		},
	}
}

// The app images of servings: with one container, and with two, of which one has another name.
const firstImage, secondImage, pairImage, otherPairImage = "life-first", "life-second", "life-pair", "life-other-pair"

// writtenByImport are the two forms of resources: an import writes those of each container.
var writtenByImport = []string{"parties.alice.resources", "parties.alice.container_resources"}

// inCluster is a Kuscia in a cluster that the provider may use.
func inCluster(t *testing.T) *servers {
	t.Helper()
	s, k := kusciaServers(acctest.NewSandbox(t, sandbox.Options{})), acctest.NewKubeServer(t)
	k.RunServings(s.env)
	maps.Copy(s.variables, k.Variables())
	return s
}

// addImages adds the app images of servings, once.
func addImages(s *servers, _ string) {
	if s.hasImages {
		return
	}
	s.hasImages = true
	for name, tag := range map[string]string{firstImage: "1", secondImage: "2"} {
		s.env.AppImage(func(i *kuscia.AppImage) { i.Name, i.Image.Tag = name, tag })
	}
	for name, second := range map[string]string{pairImage: "side", otherPairImage: "other"} {
		s.env.AppImage(func(i *kuscia.AppImage) {
			main := i.DeployTemplates[0].Containers[0]
			main.Name = "main"
			i.Name, i.DeployTemplates[0].Containers = name, []kuscia.Container{main, {Name: second}}
		})
	}
}

// servingParty is a party of alice with further attributes.
func servingParty(more attrs) attrs {
	return attrs{"parties": attrs{"alice": with(attrs{"app_image": firstImage}, more)}}
}

// amounts are requests and limits of CPU and memory.
func amounts(cpu, memory string) attrs {
	return attrs{"min_cpu": cpu, "max_cpu": cpu, "min_memory": memory, "max_memory": memory}
}

// partyNames are the names of a party, which replace the object.
func partyNames(name, image string) variant {
	party := func(domain, role, prefix string) attrs {
		return attrs{"initiator": domain, "parties": attrs{"alice": attrs{"app_image": image, "domain_id": domain, "role": role, "service_name_prefix": prefix}}}
	}
	return variant{
		full: party("alice", "host", name+"-x"), changed: party("bob", "guest", name+"-y"),
		hidden:       []string{"parties.alice", "parties.alice/host", "parties.bob/guest"}, // an import writes the key
		together:     [][]string{{"initiator", "parties.alice.domain_id"}},
		replaced:     []string{"parties.alice.domain_id", "parties.alice.role", "parties.alice.service_name_prefix"},
		replacedBack: []string{"parties"},
		driftAs: map[string][]string{
			"initiator, parties.alice.domain_id": {"initiator", "parties.alice", "parties.bob/host"}, "parties.alice.role": {"parties.alice", "parties.alice/guest"},
		},
	}
}

func twoParties(initiator string) attrs {
	return attrs{"initiator": initiator, "parties": attrs{"alice": attrs{"app_image": firstImage}, "bob": attrs{"app_image": firstImage}}}
}

var servingParties = variant{
	full: servingParty(attrs{
		"replicas": 2, "update_strategy": attrs{"type": "RollingUpdate", "max_surge": "1", "max_unavailable": "0"},
		"container_resources": attrs{"secretflow": amounts("100m", "1Gi")},
	}),
	changed: servingParty(attrs{
		"app_image": secondImage, "replicas": 1, "update_strategy": attrs{"type": "Recreate"},
		"container_resources": attrs{"secretflow": amounts("200m", "2Gi")},
	}),
	spelled:  servingParty(attrs{"update_strategy": attrs{"type": nil}, "container_resources": attrs{"secretflow": amounts("0.1", "1024Mi")}}),
	together: append(amountsTogether("parties.alice.container_resources.secretflow"), []string{"parties.alice.update_strategy"}),
}

// amountsTogether are the groups of amounts: a request is at most the limit.
func amountsTogether(at string) [][]string {
	return [][]string{{at + ".min_cpu", at + ".max_cpu"}, {at + ".min_memory", at + ".max_memory"}}
}
