package serving

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// versionParts are the objects of two servings, with a party in each of two domains.
type versionParts struct {
	servings                      []kusciaDeployment
	deployments, services, images []versionedObject
}

func metadataOf(namespace, name string, generation int64, labels map[string]string) kube.Metadata {
	return kube.Metadata{Namespace: namespace, Name: name, UID: "uid-" + name, ResourceVersion: "1", Generation: generation, Labels: labels}
}

func someParts() versionParts {
	var p versionParts
	for _, id := range []string{"a", "b"} {
		kd := kusciaDeployment{Metadata: metadataOf("cross-domain", id, 1, nil)}
		kd.Spec.Parties = append(kd.Spec.Parties, struct {
			DomainID    string `json:"domainID"`
			Role        string `json:"role"`
			AppImageRef string `json:"appImageRef"`
		}{"alice", "server", "image"})
		p.servings = append(p.servings, kd)
		name := id + "-server"
		labels := map[string]string{kube.LabelKDName: id, kube.LabelDeploymentName: name}
		p.deployments = append(p.deployments, versionedObject{metadataOf("alice", name, 1, labels)})
		p.services = append(p.services, versionedObject{metadataOf("alice", name+"-x", 0, labels)}, versionedObject{metadataOf("alice", name+"-y", 0, labels)})
	}
	p.images = []versionedObject{{metadataOf("", "image", 1, nil)}, {metadataOf("", "other", 1, nil)}}
	return p
}

func (p versionParts) of(id string) string {
	return indexVersions(time.Time{}, p.servings, p.deployments, p.services, p.images).Fingerprint(id)
}

// TestVersionsChange: each change of an object of a serving changes its versions, and no
// other change does.
func TestVersionsChange(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(p *versionParts)
		a, b   bool
	}{
		"nothing": {change: func(*versionParts) {}},
		"order": {change: func(p *versionParts) {
			p.services[0], p.services[1] = p.services[1], p.services[0]
			p.servings[0], p.servings[1] = p.servings[1], p.servings[0]
		}},
		"KusciaDeployment":       {change: func(p *versionParts) { p.servings[0].Metadata.ResourceVersion = "2" }, a: true},
		"made anew":              {change: func(p *versionParts) { p.servings[1].Metadata.UID = "other" }, b: true},
		"status of a Deployment": {change: func(p *versionParts) { p.deployments[0].Metadata.ResourceVersion = "2" }},
		"Deployment":             {change: func(p *versionParts) { p.deployments[0].Metadata.Generation++ }, a: true},
		"Deployment made anew":   {change: func(p *versionParts) { p.deployments[0].Metadata.UID = "other" }, a: true},
		"Deployment deleted":     {change: func(p *versionParts) { p.deployments = p.deployments[1:] }, a: true},
		"Service":                {change: func(p *versionParts) { p.services[1].Metadata.ResourceVersion = "2" }, a: true},
		"Service deleted":        {change: func(p *versionParts) { p.services = p.services[1:] }, a: true},
		"Service of another serving": {change: func(p *versionParts) {
			p.services = append(p.services, versionedObject{metadataOf("alice", "z", 0, map[string]string{kube.LabelDeploymentName: "b-server"})})
		}, b: true},
		"Service of another domain": {change: func(p *versionParts) {
			p.services = append(p.services, versionedObject{metadataOf("bob", "z", 0, map[string]string{kube.LabelDeploymentName: "b-server"})})
		}},
		"label of a Service": {change: func(p *versionParts) { p.services[0].Metadata.Labels = nil }, a: true},
		"app image":          {change: func(p *versionParts) { p.images[0].Metadata.ResourceVersion = "2" }, a: true, b: true},
		"app image gone":     {change: func(p *versionParts) { p.images = p.images[1:] }, a: true, b: true},
		"another app image":  {change: func(p *versionParts) { p.images[1].Metadata.ResourceVersion = "2" }},
	} {
		before, after := someParts(), someParts()
		test.change(&after)
		for id, want := range map[string]bool{"a": test.a, "b": test.b} {
			if changed := before.of(id) != after.of(id); changed != want {
				t.Errorf("%s: %s changed %t:\n%s", name, id, changed, after.of(id))
			}
		}
	}
	if text := someParts().of("c"); text != "" || !strings.Contains(someParts().of("a"), "uid-a") {
		t.Errorf("a serving that does not exist has %q", text)
	}
}
