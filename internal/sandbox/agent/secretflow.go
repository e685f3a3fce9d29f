package agent

import (
	"encoding/json"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/workload"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
)

// clusterDefine is what Kuscia tells a container of all parties, allocatedPorts of its own ports.
type (
	clusterDefine struct {
		Parties []struct {
			Name, Role string
			Services   []struct{ PortName string }
		}
		SelfPartyIdx int
	}
	allocatedPorts struct {
		Ports []struct{ Name, Scope string }
	}
)

// application is the answer of SecretFlow-Serving, if the container starts it.
func (c *container) application(env map[string]string) workload.Outcome {
	image := c.image(env)
	if started, is := secretflow.Application(image); !is || started != c.index {
		return workload.Outcome{}
	}
	var defined clusterDefine
	if json.Unmarshal([]byte(env["CLUSTER_DEFINE"]), &defined) != nil || defined.SelfPartyIdx >= len(defined.Parties) {
		return workload.Outcome{} // not made by Kuscia
	}
	text := env["INPUT_CONFIG"]
	serving := secretflow.Serving{
		ID: env["SERVING_ID"], Text: &text, Runtime: secretflow.RunC,
		NoVerbatim: c.options().NoVerbatim, NoStore: !c.version.Has(versions.ConfigInTemplates),
	}
	for i, p := range defined.Parties {
		party := secretflow.Party{Domain: p.Name, Role: p.Role}
		if i == defined.SelfPartyIdx {
			party.Image, party.Store = image, c.entry
		} else {
			var ports []secretflow.Port
			for _, s := range p.Services {
				ports = append(ports, secretflow.Port{Name: s.PortName, Scope: "Cluster"})
			}
			party.Image = &secretflow.Image{Containers: []secretflow.Container{{Command: []string{""}, Ports: ports}}}
		}
		serving.Parties = append(serving.Parties, party)
	}
	answer, refused := secretflow.Start(serving, defined.SelfPartyIdx)
	if !refused {
		return workload.Outcome{}
	}
	code, log := answer.Exit()
	reason := workload.ReasonError
	if code == 0 {
		reason = workload.ReasonCompleted
	}
	return ended(code, reason, lastLines(log))
}

// image is the pod as package secretflow sees an app image.
func (c *container) image(env map[string]string) *secretflow.Image {
	name, tag := splitReference(c.spec().Image)
	image := &secretflow.Image{Name: name, Tag: tag, Templates: c.templates}
	for _, other := range c.pod.Spec.Containers {
		image.Containers = append(image.Containers, secretflow.Container{Name: other.Name, Command: other.Command, Args: other.Args})
	}
	own := &image.Containers[c.index]
	own.Env, own.Complete = env, true
	for _, mount := range c.spec().VolumeMounts {
		own.Mounts = append(own.Mounts, secretflow.Mount{Path: mount.MountPath, Template: mount.SubPath})
	}
	var allocated allocatedPorts
	_ = json.Unmarshal([]byte(env["ALLOCATED_PORTS"]), &allocated) // without it there are none
	for _, port := range allocated.Ports {
		own.Ports = append(own.Ports, secretflow.Port{Name: port.Name, Scope: port.Scope})
	}
	return image
}

// splitReference returns the name and the tag of an image.
func splitReference(reference string) (name, tag string) {
	reference, _, _ = strings.Cut(reference, "@")
	if at := strings.LastIndexByte(reference, ':'); at > strings.LastIndexByte(reference, '/') {
		return reference[:at], reference[at+1:]
	}
	return reference, ""
}

// maxMessage is how much of the end of a log the agent puts into a status, in bytes.
const maxMessage = 8192

func lastLines(log string) string {
	if log == "" {
		return ""
	}
	log += "\n"
	return log[max(len(log)-maxMessage, 0):]
}
