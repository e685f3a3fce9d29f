package serving

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

func template(name, role string, containers ...kuscia.Container) kuscia.DeployTemplate {
	return kuscia.DeployTemplate{Name: name, Role: role, Replicas: 1, Containers: containers}
}

func withPorts(c kuscia.Container, names ...string) kuscia.Container {
	for _, name := range names {
		c.Ports = append(c.Ports, kuscia.ContainerPort{Name: name, Scope: "Cluster"})
	}
	return c
}

// TestTemplateFor: an exact role first, then the last template without one,
// then, for no role, the first of all.
func TestTemplateFor(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		roles []string
		role  string
		want  string // the index as a name, "" for none
	}{
		"only one without role":     {[]string{""}, "server", "0"},
		"exact":                     {[]string{"client", "server"}, "server", "1"},
		"in a list":                 {[]string{"client,server"}, "server", "0"},
		"list with outer commas":    {[]string{",client,server,"}, "server", "0"},
		"exact before general":      {[]string{"", "server"}, "server", "1"},
		"first exact":               {[]string{"server", "server"}, "server", "0"},
		"last general":              {[]string{"", "x", ""}, "server", "2"},
		"no match":                  {[]string{"client", "other"}, "server", ""},
		"no role, first without":    {[]string{"x", "", ""}, "", "1"},
		"no role, first of all":     {[]string{"client", "server"}, "", "0"},
		"role is not a part":        {[]string{"serverless"}, "server", ""},
		"role has no space trimmed": {[]string{"client, server"}, "server", ""},
		"no templates":              {nil, "", ""},
	} {
		image := &kuscia.AppImage{}
		for i, role := range test.roles {
			image.DeployTemplates = append(image.DeployTemplates, template(string(rune('0'+i)), role))
		}
		got := ""
		if found := templateFor(image, test.role); found != nil {
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
	for name, test := range map[string]struct {
		party party
		image *kuscia.AppImage
		want  []string // attribute: a part of summary or detail
	}{
		"no resources":     {partyOf("a"), sfImage, nil},
		"common":           {partyOf("a", asks(of("", "1", "", "", ""))), sfImage, nil},
		"all named":        {partyOf("a", asks(of("main", "1", "", "", ""), of("side", "", "", "", "1Gi"))), sfImage, nil},
		"one left empty":   {partyOf("a", asks(of("main", "1", "", "", ""))), sfImage, []string{`resources: Container "side"`}},
		"zero is a value":  {partyOf("a", asks(of("main", "1", "", "", ""), of("side", "0", "", "", ""))), sfImage, nil},
		"unknown name":     {partyOf("a", asks(of("", "1", "", "", ""), of("mian", "2", "", "", ""))), sfImage, []string{`resources: App image "sf" has no container "mian" for this role; it has "main", "side"`}},
		"only a typo":      {partyOf("a", asks(of("mian", "2", "", "", ""), of("side", "1", "", "", ""))), sfImage, []string{`resources: App image "sf" has no container "mian"`}},
		"role":             {partyOf("a", role("x")), &kuscia.AppImage{Name: "i", DeployTemplates: []kuscia.DeployTemplate{template("t", "server,client")}}, []string{`role: App image "i" has no deploy template for role "x"; its templates serve "server", "client"`}},
		"above the limit":  {partyOf("a", asks(of("main", "2", "1", "", ""))), appImage("i", container("main")), []string{"resources: min_cpu 2 is more than max_cpu 1"}},
		"above together":   {partyOf("a", asks(of("", "2", "", "", ""), of("main", "", "1", "", ""))), appImage("i", container("main")), []string{"resources: min_cpu 2 is more than max_cpu 1"}},
		"image's requests": {partyOf("a", asks(of("", "", "1", "", ""))), appImage("i", owning), []string{"resources: min_cpu 2 is more than max_cpu 1"}},
		"image's limits":   {partyOf("a", asks(of("", "5", "", "", ""))), appImage("i", owning), []string{"resources: min_cpu 5 is more than max_cpu 4"}},
		"a side is replaced whole": {partyOf("a", asks(of("", "", "", "1Gi", "")), func(p *party) {
			p.resources.items = append(p.resources.items, of("main", "", "1", "", ""))
		}), appImage("i", owning), nil},
		"unknown resources": {partyOf("a", func(p *party) { p.resources = resourceList{unknown: true} }), sfImage, nil},
	} {
		problems := checkImage(test.party.withDefaults(), test.image)
		if len(problems) != len(test.want) {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		for i, want := range test.want {
			attribute, part, _ := strings.Cut(want, ": ")
			if problems[i].attribute != attribute || !strings.Contains(problems[i].detail, part) || problems[i].summary == "" {
				t.Errorf("%s: %+v, want %q", name, problems[i], want)
			}
		}
	}
}

// TestAsked: resources that an import read and no change touches are not held
// against the app image.
func TestAsked(t *testing.T) {
	t.Parallel()
	observed := privateData{Observed: []string{"alice/"}, Containers: map[string][]string{"alice/": {"main"}}}
	read := partyOf("alice", role(""), asks(of("main", "1", "", "", ""))).withDefaults()
	moved := with(read, image("sf"))
	change := compareParties(with(read, image("old")), moved, observed)
	if problems := checkImage(moved.asked(change, observed), sfImage); len(problems) > 0 {
		t.Errorf("nobody asked for resources: %v", problems)
	}
	if problems := checkImage(moved.asked(change, privateData{}), sfImage); len(problems) != 1 {
		t.Errorf("resources were asked for: %v", problems)
	}
	more := with(moved, asks(of("main", "2", "", "", "")))
	if problems := checkImage(more.asked(compareParties(read, more, observed), observed), sfImage); len(problems) != 1 {
		t.Errorf("resources change: %v", problems)
	}
}

func TestPorts(t *testing.T) {
	t.Parallel()
	before := appImage("before", withPorts(container("main"), "service", "internal"))
	for name, test := range map[string]struct {
		after *kuscia.AppImage
		want  []string
	}{
		"same":            {appImage("after", withPorts(container("main"), "internal", "service")), nil},
		"less":            {appImage("after", withPorts(container("other"), "service")), nil},
		"more":            {appImage("after", withPorts(container("main"), "service", "internal", "metrics")), []string{"metrics"}},
		"in another one":  {appImage("after", withPorts(container("main"), "service"), withPorts(container("side"), "metrics")), []string{"metrics"}},
		"for no one":      {&kuscia.AppImage{}, nil},
		"of another role": {&kuscia.AppImage{DeployTemplates: []kuscia.DeployTemplate{template("a", "client", withPorts(container("main"), "x")), template("b", "server", withPorts(container("main"), "service"))}}, nil},
	} {
		if got := newPorts("server", before, test.after); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		problems := checkSwitch("server", before, test.after)
		if (len(problems) > 0) != (test.want != nil) {
			t.Errorf("%s: %v", name, problems)
		}
		for _, p := range problems {
			if p.attribute != "app_image" || !strings.Contains(p.detail, `"metrics"`) {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
}

// TestCheckAllocated: a port that the app image got after the serving was
// created shows by having no endpoint.
func TestCheckAllocated(t *testing.T) {
	t.Parallel()
	ports := func(ports ...kuscia.ContainerPort) *kuscia.AppImage {
		return appImage("sf", kuscia.Container{Name: "main", Ports: ports})
	}
	service := kuscia.ContainerPort{Name: "service", Scope: "Cluster"}
	endpoints := func(portNames ...string) types.List {
		status := kuscia.PartyStatus{DomainID: "alice"}
		for _, name := range portNames {
			status.Endpoints = append(status.Endpoints, kuscia.Endpoint{PortName: name, Endpoint: "e"})
		}
		return encodeEndpoints([]kuscia.PartyStatus{status, {DomainID: "bob", Endpoints: []kuscia.Endpoint{{PortName: "bobs"}}}})
	}
	for name, test := range map[string]struct {
		image     *kuscia.AppImage
		endpoints types.List
		want      bool
		recorded  []string
	}{
		"a local one more, recorded": {ports(service, kuscia.ContainerPort{Name: "metrics", Scope: "Local"}), endpoints("service"), true, []string{"service"}},
		"all recorded":               {ports(service, kuscia.ContainerPort{Name: "metrics", Scope: "Local"}), endpoints("service"), false, []string{"service", "metrics"}},
		"all allocated":              {ports(service), endpoints("service"), false, nil},
		"one more":                   {ports(service, kuscia.ContainerPort{Name: "metrics", Scope: "Domain"}), endpoints("service"), true, nil},
		"a local one more":           {ports(service, kuscia.ContainerPort{Name: "metrics", Scope: "Local"}), endpoints("service"), false, nil},
		"nothing known":              {ports(service), types.ListValueMust(endpointType, nil), false, nil},
		"old server, no names":       {ports(service), endpoints(""), false, nil},
		"another party's":            {ports(service, kuscia.ContainerPort{Name: "bobs", Scope: "Domain"}), endpoints("service"), true, nil},
		"endpoints not known yet":    {ports(service), types.ListUnknown(endpointType), false, nil},
	} {
		if got := checkAllocated(partyOf("alice", role("")), test.image, test.recorded, test.endpoints); (len(got) > 0) != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		resources func(*party)
		image     *kuscia.AppImage
		stored    []string
		want      []string
	}{
		"same containers":   {asks(of("", "1", "", "", "")), sfImage, []string{"main", "side"}, nil},
		"general, one more": {asks(of("", "1", "", "", "")), thirdImage, []string{"main", "side"}, []string{"extra"}},
		"named, one more":   {asks(of("main", "1", "", "", ""), of("side", "1", "", "", "")), thirdImage, []string{"main", "side"}, nil},
		"renamed":           {asks(of("new", "1", "", "", "")), appImage("i", container("new")), []string{"old"}, []string{"new"}},
		"no template":       {asks(of("", "1", "", "", "")), &kuscia.AppImage{}, []string{"main"}, nil},
	} {
		if got := unreachable(partyOf("a", test.resources), test.image, test.stored); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestCheckServiceNames: a prefix and the name of a port make the name of a
// Service, which Kuscia does not shorten.
func TestCheckServiceNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("p", 48)
	for name, test := range map[string]struct {
		party party
		port  kuscia.ContainerPort
		want  bool
	}{
		"just fits":  {partyOf("alice", role(""), prefix(long)), kuscia.ContainerPort{Name: "fourteen-chars", Scope: "Domain"}, false},
		"too long":   {partyOf("alice", role(""), prefix(long)), kuscia.ContainerPort{Name: "fifteen-letters", Scope: "Cluster"}, true},
		"no Service": {partyOf("alice", role(""), prefix(long)), kuscia.ContainerPort{Name: "fifteen-letters", Scope: "Local"}, false},
		"no prefix":  {partyOf("alice", role("")), kuscia.ContainerPort{Name: "fifteen-letters", Scope: "Cluster"}, false},
	} {
		image := appImage("sf", kuscia.Container{Name: "main", Ports: []kuscia.ContainerPort{test.port}})
		if got := checkImage(test.party, image); (len(got) > 0) != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
