package rules_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestTemplateFor: an exact role first, then the last template without one,
// then, for no role, the first of all.
func TestTemplateFor(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		roles []string
		role  string
		want  string // the index as a name, "" means none
	}{
		"exact":                     {[]string{"client", "server"}, "server", "1"},
		"list with outer commas":    {[]string{",client,server,"}, "server", "0"},
		"exact before general":      {[]string{"", "server"}, "server", "1"},
		"last general":              {[]string{"", "x", ""}, "server", "2"},
		"no match":                  {[]string{"client", "other"}, "server", ""},
		"no role, first without":    {[]string{"x", "", ""}, "", "1"},
		"no role, first of all":     {[]string{"client", "server"}, "", "0"},
		"role is not a part":        {[]string{"serverless"}, "server", ""},
		"role has no space trimmed": {[]string{"client, server"}, "server", ""},
	} {
		image := &kuscia.AppImage{}
		for i, role := range test.roles {
			image.DeployTemplates = append(image.DeployTemplates, DeployTemplate(string(rune('0'+i)), role))
		}
		got := ""
		if found := party.TemplateFor(image, test.role); found != nil {
			got = found.Name
		}
		if got != test.want {
			t.Errorf("%s: template %q, want %q", name, got, test.want)
		}
	}
}

func TestCheckImage(t *testing.T) {
	t.Parallel()
	owning := kuscia.Container{Name: "main", Resources: &kuscia.ResourceRequirements{
		Requests: &kuscia.ResourceSpec{CPU: "2", Memory: "4Gi"}, Limits: &kuscia.ResourceSpec{CPU: "4"},
	}}
	long := strings.Repeat("p", 48) // with the name of a port it is the name of a Service, which Kuscia does not shorten
	services := func(name, scope string) *kuscia.AppImage {
		return AppImage("sf", kuscia.Container{Name: "main", Ports: []kuscia.ContainerPort{{Name: name, Scope: scope}}})
	}
	for name, test := range map[string]struct {
		Party rules.Party
		image *kuscia.AppImage
		want  []string // attribute: a part of summary or detail
	}{
		"all named":                {PartyOf("a", Resources(ContainerResources("main", "1", "", "", ""), ContainerResources("side", "", "", "", "1Gi"))), SFImage, nil},
		"one left empty":           {PartyOf("a", Resources(ContainerResources("main", "1", "", "", ""))), SFImage, []string{`container_resources: Container "side"`}},
		"zero is a value":          {PartyOf("a", Resources(ContainerResources("main", "1", "", "", ""), ContainerResources("side", "0", "", "", ""))), SFImage, nil},
		"unknown name":             {PartyOf("a", Resources(ContainerResources("", "1", "", "", ""), ContainerResources("mian", "2", "", "", ""))), SFImage, []string{`container_resources: App image "sf" has no container "mian" for this role; it has "main", "side"`}},
		"role":                     {PartyOf("a", Role("x")), &kuscia.AppImage{Name: "i", DeployTemplates: []kuscia.DeployTemplate{DeployTemplate("t", "server,client")}}, []string{`role: App image "i" has no deploy template for role "x"; its templates serve "server", "client"`}},
		"above together":           {PartyOf("a", Resources(ContainerResources("", "2", "", "", ""), ContainerResources("main", "", "1", "", ""))), AppImage("i", Container("main")), []string{"container_resources: min_cpu 2 is more than max_cpu 1"}},
		"image's requests":         {PartyOf("a", Resources(ContainerResources("", "", "1", "", ""))), AppImage("i", owning), []string{"resources: min_cpu 2 is more than max_cpu 1"}},
		"image's limits":           {PartyOf("a", Resources(ContainerResources("", "5", "", "", ""))), AppImage("i", owning), []string{"resources: min_cpu 5 is more than max_cpu 4"}},
		"a side is replaced whole": {PartyOf("a", Resources(ContainerResources("", "", "", "1Gi", ""), ContainerResources("main", "", "1", "", ""))), AppImage("i", owning), nil},
		"prefix just fits":         {PartyOf("a", Prefix(long)), services("fourteen-chars", "Domain"), nil},
		"prefix too long":          {PartyOf("a", Prefix(long)), services("fifteen-letters", "Cluster"), []string{"service_name_prefix: "}},
		"no Service":               {PartyOf("a", Prefix(long)), services("fifteen-letters", "Local"), nil},
		"no prefix":                {PartyOf("a"), services("fifteen-letters", "Cluster"), nil},
		"unknown resources":        {PartyOf("a", func(p *rules.Party) { *p = p.WithResources(UnknownResources) }), SFImage, nil},
	} {
		problems := rules.CheckImage(Complete(test.Party), test.image)
		if len(problems) != len(test.want) {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		for i, want := range test.want {
			attribute, part, _ := strings.Cut(want, ": ")
			if !isAt(problems[i], attribute) || !strings.Contains(problems[i].Detail, part) || problems[i].Summary == "" {
				t.Errorf("%s: %+v, want %q", name, problems[i], want)
			}
		}
	}
}

// TestImportedResourcesAreNotChecked: resources that were read by an import and do not change are not
// checked against the app image.
func TestImportedResourcesAreNotChecked(t *testing.T) {
	t.Parallel()
	observed := rules.Private{ObservedResources: []string{"alice/"}, Containers: map[string][]string{"alice/": {"main"}}}
	read := Complete(PartyOf("alice", Role(""), Resources(ContainerResources("main", "1", "", "", ""))))
	moved := With(read, Image("sf"))
	change := rules.CompareParties(With(read, Image("old")), moved, observed)
	if problems := rules.CheckImage(rules.ConfiguredParty(moved, change, observed), SFImage); len(problems) > 0 {
		t.Errorf("resources that are not configured: %v", problems)
	}
	if problems := rules.CheckImage(rules.ConfiguredParty(moved, change, rules.Private{}), SFImage); len(problems) != 1 {
		t.Errorf("configured resources: %v", problems)
	}
	more := With(moved, Resources(ContainerResources("main", "2", "", "", "")))
	if problems := rules.CheckImage(rules.ConfiguredParty(more, rules.CompareParties(read, more, observed), observed), SFImage); len(problems) != 1 {
		t.Errorf("resources change: %v", problems)
	}
	bare := Complete(PartyOf("alice", Role(""), Image("sf")))
	if kept := bare.KeepObserved(bare, read, observed); !kept.Resources().Equal(read.Resources()) {
		t.Errorf("resources that are not configured are planned as %v", kept.Resources())
	}
}

func TestPorts(t *testing.T) {
	t.Parallel()
	before := AppImage("before", WithPorts(Container("main"), "service", "internal"))
	for name, test := range map[string]struct {
		after *kuscia.AppImage
		want  []string
	}{
		"less":            {AppImage("after", WithPorts(Container("other"), "service")), nil},
		"more":            {AppImage("after", WithPorts(Container("main"), "service", "internal", "metrics")), []string{"metrics"}},
		"in another one":  {AppImage("after", WithPorts(Container("main"), "service"), WithPorts(Container("side"), "metrics")), []string{"metrics"}},
		"of another role": {&kuscia.AppImage{DeployTemplates: []kuscia.DeployTemplate{DeployTemplate("a", "client", WithPorts(Container("main"), "x")), DeployTemplate("b", "server", WithPorts(Container("main"), "service"))}}, nil},
	} {
		problems := rules.CheckSwitch(PartyOf("a", Role("server")), before, test.after)
		if (len(problems) > 0) != (test.want != nil) {
			t.Errorf("%s: %v", name, problems)
		}
		for _, p := range problems {
			if !isAt(p, "app_image") || !strings.Contains(p.Detail, httpapi.QuoteAll(test.want)) {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
}

// TestCheckAllocated: a port that the app image got after the serving was
// created is detected because it has no endpoint.
func TestCheckAllocated(t *testing.T) {
	t.Parallel()
	ports := func(ports ...kuscia.ContainerPort) *kuscia.AppImage {
		return AppImage("sf", kuscia.Container{Name: "main", Ports: ports})
	}
	service := kuscia.ContainerPort{Name: "service", Scope: "Cluster"}
	endpoints := func(portNames ...string) types.Map {
		status := kuscia.PartyStatus{DomainID: "alice"}
		for _, name := range portNames {
			status.Endpoints = append(status.Endpoints, kuscia.Endpoint{PortName: name, Endpoint: "glm.alice.svc"})
		}
		return rules.EncodeEndpoints([]kuscia.PartyStatus{status, {DomainID: "bob", Endpoints: []kuscia.Endpoint{{PortName: "bobs"}}}})
	}
	for name, test := range map[string]struct {
		image     *kuscia.AppImage
		endpoints types.Map
		want      bool
		recorded  []string
	}{
		"a local one more, recorded": {ports(service, kuscia.ContainerPort{Name: "metrics", Scope: "Local"}), endpoints("service"), true, []string{"service"}},
		"all recorded":               {ports(service, kuscia.ContainerPort{Name: "metrics", Scope: "Local"}), endpoints("service"), false, []string{"service", "metrics"}},
		"one more":                   {ports(service, kuscia.ContainerPort{Name: "metrics", Scope: "Domain"}), endpoints("service"), true, nil},
		"a local one more":           {ports(service, kuscia.ContainerPort{Name: "metrics", Scope: "Local"}), endpoints("service"), false, nil},
		"nothing known":              {ports(service), types.MapValueMust(types.StringType, nil), false, nil},
		"old server, no names":       {ports(service), endpoints(""), false, nil},
		"another party's":            {ports(service, kuscia.ContainerPort{Name: "bobs", Scope: "Domain"}), endpoints("service"), true, nil},
	} {
		if got := rules.CheckAllocated(PartyOf("alice", Role("")), test.image, test.recorded, test.endpoints); (len(got) > 0) != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func isAt(issue check.Issue, attribute string) bool {
	return issue.At.Equal(PartiesPath("a", attribute)) && issue.Severity == check.Unusable
}
