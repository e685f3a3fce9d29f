package deployment

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// valid is a configuration of one party with other attributes of it.
func valid(change ...func(config, party tree)) tree {
	party := tree{attrAppImage: "v1"}
	config := tree{attrName: "kd", attrInitiator: "alice", attrParties: tree{"alice": party}}
	for _, c := range change {
		c(config, party)
	}
	return config
}

func top(name string, value any) func(config, party tree) {
	return func(config, _ tree) { config[name] = value }
}

func of(name string, value any) func(config, party tree) {
	return func(_, party tree) { party[name] = value }
}

func amountsOf(requests, limits map[string]string) func(config, party tree) {
	return of(attrContainers, tree{"main": tree{attrRequests: requests, attrLimits: limits}})
}

func second(party tree) func(config, party tree) {
	return func(config, first tree) { config[attrParties] = tree{"alice": first, "second": party} }
}

// TestIssues: configurations that Kuscia accepts but ignores or fails on are
// reported.
func TestIssues(t *testing.T) {
	t.Parallel()
	strategy := func(texts ...string) func(config, party tree) {
		s := tree{}
		for i := 0; i < len(texts); i += 2 {
			s[texts[i]] = texts[i+1]
		}
		return of(attrStrategy, s)
	}
	type m = map[string]string
	for name, test := range map[string]struct {
		config   tree
		want     string
		severity check.Severity
	}{
		"all fine":                 {config: valid(of(attrRole, "server"), of(attrPrefix, "svc"), strategy("max_surge", "1", "max_unavailable", "0"), amountsOf(m{"cpu": "0.5", "nvidia.com/gpu": "1"}, m{"cpu": "1", "nvidia.com/gpu": "1"}))},
		"a dot in the name":        {config: valid(top(attrName, "a.b")), want: "no dots", severity: check.Unusable},
		"a digit first":            {config: valid(top(attrName, "1a"))},
		"a prefix in two domains":  {config: valid(of(attrPrefix, "svc"), second(tree{attrDomainID: "bob", attrAppImage: "v1", attrPrefix: "svc"}))},
		"initiator not known":      {config: valid(top(attrInitiator, definition.Unknown))},
		"domain not known":         {config: valid(of(attrDomainID, definition.Unknown))},
		"a container image":        {config: valid(of(attrAppImage, "secretflow/serving:1.0")), want: "not the reference of a container image", severity: check.Unusable},
		"a path as domain":         {config: valid(of(attrDomainID, "..")), want: "the ID of a Kuscia domain", severity: check.Unusable},
		"twice":                    {config: valid(second(tree{attrDomainID: "alice", attrAppImage: "v2"})), want: `parties["second"]: Duplicate party: Domain "alice" with role "" is parties["alice"] already.`},
		"role not known":           {config: valid(of(attrRole, definition.Unknown), second(tree{attrDomainID: "alice", attrAppImage: "v2"}))},
		"the key is no domain":     {config: valid(top(attrParties, tree{"alice": tree{attrAppImage: "v1"}, "B b": tree{attrAppImage: "v1"}})), want: "if it is not set, it is the key of the party", severity: check.Unusable},
		"twice with roles":         {config: valid(second(tree{attrDomainID: "alice", attrAppImage: "v2", attrRole: "client"}))},
		"role":                     {config: valid(of(attrRole, "A")), want: "NAME-ROLE"},
		"long role":                {config: valid(of(attrRole, strings.Repeat("a", 61))), want: "NAME-ROLE"},
		"no replicas":              {config: valid(of(attrReplicas, 0)), want: "Progressing forever", severity: check.Doubtful},
		"half a replica":           {config: valid(of(attrReplicas, 1.5)), want: "whole number"},
		"more than all":            {config: valid(strategy("max_unavailable", "101%")), want: "up to 100%"},
		"request above limit":      {config: valid(amountsOf(m{"cpu": "2"}, m{"cpu": "1"})), want: "above its limit", severity: check.Unusable},
		"limit not known":          {config: valid(of(attrContainers, tree{"main": tree{attrRequests: m{"cpu": "2"}, attrLimits: definition.Unknown}}))},
		"a huge exponent":          {config: valid(amountsOf(m{"cpu": "1e999999999"}, nil)), want: "not a Kubernetes quantity"},
		"below zero":               {config: valid(amountsOf(nil, m{"cpu": "-1"})), want: "below zero", severity: check.Unusable},
		"unknown resource":         {config: valid(amountsOf(m{"foo": "1"}, nil)), want: "not a Kubernetes resource", severity: check.Unusable},
		"half a device":            {config: valid(amountsOf(m{"nvidia.com/gpu": "0.5"}, m{"nvidia.com/gpu": "0.5"})), want: "must be a whole number", severity: check.Unusable},
		"a device without limit":   {config: valid(amountsOf(m{"nvidia.com/gpu": "1"}, m{"cpu": "1"})), want: "needs a limit equal to the request", severity: check.Unusable},
		"a name of quotas":         {config: valid(amountsOf(m{"requests.a.b/c": "1"}, m{"requests.a.b/c": "1"})), want: "not a Kubernetes resource", severity: check.Unusable},
		"huge pages alone":         {config: valid(amountsOf(m{"hugepages-2Mi": "2Mi"}, m{"hugepages-2Mi": "2Mi"})), want: "needs a request or a limit of cpu or memory", severity: check.Unusable},
		"huge pages with memory":   {config: valid(amountsOf(m{"hugepages-2Mi": "2Mi"}, m{"hugepages-2Mi": "2Mi", "memory": "1Gi"}))},
		"memory in thousandths":    {config: valid(amountsOf(m{"memory": "500m"}, nil)), want: "less than any process needs", severity: check.Doubtful},
		"more cores than any node": {config: valid(amountsOf(nil, m{"cpu": "512Mi"})), want: "more than any node", severity: check.Unusable},
		"label":                    {config: valid(top(attrLabels, m{"a b": "x"})), want: "is not a name of a label"},
		"label value":              {config: valid(top(attrLabels, m{"a": "x y"})), want: "is not a value of a label"},
		"label of Kuscia":          {config: valid(top(attrLabels, m{"kuscia.secretflow/kd-name": "x"})), want: "identify its own objects"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := issues(kusciaDeployment.Definition.Encode(test.config))
			var texts []string
			for _, i := range found {
				texts = append(texts, i.At.String()+": "+i.Summary+": "+i.Detail)
			}
			all := strings.Join(texts, "\n")
			if !strings.Contains(all, test.want) || (len(found) == 0) != (test.want == "") {
				t.Fatalf("found %q, want %q", all, test.want)
			}
			if test.want != "" && found[0].Severity != test.severity {
				t.Errorf("severity %d, want %d", found[0].Severity, test.severity)
			}
		})
	}
}

// TestSameCount: an unset number of pods is Kubernetes' default, before and after.
func TestSameCount(t *testing.T) {
	t.Parallel()
	if !sameCount("", "25%") || !sameCount("25%", "") || sameCount("", "1") {
		t.Error("25% is not the default")
	}
}

// TestStrategyReadInOneSpelling: a percentage that another client has spelled differently, as an
// update of a serving does, is read in its usual spelling.
func TestStrategyReadInOneSpelling(t *testing.T) {
	t.Parallel()
	surge, unavailable := kube.IntOrString("025%"), kube.IntOrString("1")
	got := strategyTree(&kube.Strategy{Type: rollingUpdate, RollingUpdate: &kube.RollingUpdate{MaxSurge: &surge, MaxUnavailable: &unavailable}})
	if got[attrMaxSurge] != "25%" || got[attrMaxUnavailable] != "1" {
		t.Errorf("it is read as %v", got)
	}
}
