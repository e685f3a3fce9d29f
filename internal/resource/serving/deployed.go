package serving

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// deployedParty is what the pods of a party were made from. Kuscia shows nothing of
// it, and an app image that changes later reaches them only in part, or not.
type deployedParty struct {
	// Definition has a digest of each part of the app image that only a new
	// serving gets, by the name of the attribute. A part that is empty has none.
	Definition map[string]string `json:"definition,omitempty"`
	// Rollout is what the last update brought.
	Rollout rolledOut `json:"rollout"`
	// Other is what the app image had meanwhile, and the pods therefore may
	// have: somebody else can have rolled it out.
	Other *rolledOut `json:"other,omitempty"`
}

// rolledOut is what of an app image an update brings to running pods.
type rolledOut struct {
	// Image is the reference of the container image.
	Image string `json:"image"`
	// Resources is a digest of the resources of the containers.
	Resources string `json:"resources,omitempty"`
}

// definitionDigests summarises what only a new serving gets of an app image. It
// is asked for every party of every plan, and most have the same few images.
func definitionDigests(image *kuscia.AppImage, template *kuscia.DeployTemplate) map[string]string {
	knownDigests.Lock()
	defer knownDigests.Unlock()
	digests, ok := knownDigests.of[template]
	if !ok {
		if len(knownDigests.of) >= maxKnownDigests {
			clear(knownDigests.of)
		}
		digests = makeDigests(image, template)
		knownDigests.of[template] = digests
	}
	return digests
}

// maxKnownDigests bounds what is remembered.
const maxKnownDigests = 1000

// knownDigests remembers digests by the template, which is a part of its image.
var knownDigests = struct {
	sync.Mutex
	of map[*kuscia.DeployTemplate]map[string]string
}{of: map[*kuscia.DeployTemplate]map[string]string{}}

func makeDigests(image *kuscia.AppImage, template *kuscia.DeployTemplate) map[string]string {
	parts := map[string]map[string]any{}
	note := func(attribute, container string, value any) {
		if value = withoutZeros(value); value == nil {
			return
		}
		if parts[attribute] == nil {
			parts[attribute] = map[string]any{}
		}
		parts[attribute][container] = value
	}
	note("image.id", "", image.Image.ID)
	note("image.sign", "", image.Image.Sign)
	note("config_templates", "", image.ConfigTemplates)
	note("restart_policy", "", template.RestartPolicy)
	for i, c := range template.Containers {
		note("containers", c.Name, i+1)
		note("command", c.Name, c.Command)
		note("args", c.Name, c.Args)
		note("working_dir", c.Name, c.WorkingDir)
		note("config_volume_mounts", c.Name, c.ConfigVolumeMounts)
		note("ports", c.Name, completePorts(c.Ports))
		note("env_from", c.Name, c.EnvFrom)
		note("env", c.Name, c.Env)
		note("liveness_probe", c.Name, c.LivenessProbe)
		note("readiness_probe", c.Name, c.ReadinessProbe)
		note("startup_probe", c.Name, c.StartupProbe)
		note("image_pull_policy", c.Name, c.ImagePullPolicy)
	}
	digests := make(map[string]string, len(parts))
	for attribute, part := range parts {
		digests[attribute] = digest(part)
	}
	return digests
}

// completePorts are ports with the server's defaults.
func completePorts(ports []kuscia.ContainerPort) []kuscia.ContainerPort {
	ports = slices.Clone(ports)
	for i := range ports {
		ports[i].Protocol, ports[i].Scope = first(ports[i].Protocol, "HTTP"), first(ports[i].Scope, "Local")
	}
	return ports
}

// digest is short on purpose: it tells a change, and cannot confirm a guess of
// a value, which may be a secret in env.
func digest(value any) string {
	// Plain values encode, and maps in the order of their keys.
	encoded, _ := json.Marshal(value)
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:3])
}

// withoutZeros is a value as JSON has it without what is empty: Kuscia leaves
// out, or fills in, what a definition does not say. Nil is an empty value.
func withoutZeros(value any) any {
	encoded, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	var decoded any
	if json.Unmarshal(encoded, &decoded) != nil {
		return nil
	}
	return prune(decoded)
}

func prune(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if value[name] = prune(member); value[name] == nil || name == "termination_grace_period_seconds" && member == "0" {
				delete(value, name)
			}
		}
		if len(value) == 0 {
			return nil
		}
	case []any:
		for i := range value {
			value[i] = prune(value[i]) // an empty element is one all the same
		}
		if len(value) == 0 {
			return nil
		}
	case string:
		if value == "" {
			return nil
		}
	case float64:
		if value == 0 {
			return nil
		}
	case bool:
		if !value {
			return nil
		}
	}
	return value
}

// rolledOutBy is what an update brings to the pods of a party.
func rolledOutBy(p party, image *kuscia.AppImage, template *kuscia.DeployTemplate) rolledOut {
	wanted := p.resources.form()
	own := make([]kuscia.Resource, len(template.Containers))
	for i := range template.Containers {
		c := &template.Containers[i]
		own[i] = withImageDefaults(wanted.of(c.Name), c.Resources).wire(c.Name)
	}
	amounts := footprintOf(own)
	maps.DeleteFunc(amounts, func(_ string, of [4]int64) bool { return of == [4]int64{} })
	r := rolledOut{Image: image.Image.Name + ":" + image.Image.Tag}
	if len(amounts) > 0 {
		r.Resources = digest(amounts)
	}
	return r
}

// partyTemplate finds the app image of a party and its deploy template.
func partyTemplate(p party, images imageLookup) (*kuscia.AppImage, *kuscia.DeployTemplate) {
	if !p.keyKnown() || p.appImage.IsUnknown() || !p.resources.known() {
		return nil, nil
	}
	image := images(p.appImage.ValueString())
	if image == nil {
		return nil, nil
	}
	return image, templateFor(image, p.role.ValueString())
}

// deployedBy is the memory of a serving that was just created.
func (d privateData) deployedBy(state model, images imageLookup) privateData {
	d.Deployed = nil
	return d.rolledOutTo(state, images)
}

// rolledOutTo is the memory after an update that reached the pods: all parties
// have the image and the resources of their app images now, and none has more
// of their definitions. Of a party of which nothing is known, as after an
// import, what its app image is now is taken for granted.
func (d privateData) rolledOutTo(state model, images imageLookup) privateData {
	return d.withDeployed(state, images, func(known deployedParty, now rolledOut) deployedParty {
		known.Rollout, known.Other = now, nil
		return known
	})
}

// watchImages is the memory after a refresh. An app image that now has other
// things than the last update brought may have reached the pods.
func (d privateData) watchImages(state model, images imageLookup) privateData {
	return d.withDeployed(state, images, func(known deployedParty, now rolledOut) deployedParty {
		if now != known.Rollout {
			known.Other = &now
		}
		return known
	})
}

// withDeployed goes through the parties of a state. One whose app image cannot
// be asked keeps what is known.
func (d privateData) withDeployed(state model, images imageLookup, next func(known deployedParty, now rolledOut) deployedParty) privateData {
	before := d.Deployed
	d.Deployed = nil
	parties := state.Parties.items
	for _, p := range parties {
		key := p.key().String()
		known, ok := before[key]
		if image, template := partyTemplate(p, images); template != nil {
			now := rolledOutBy(p, image, template)
			if !ok {
				known, ok = deployedParty{Definition: definitionDigests(image, template), Rollout: now}, true
			}
			known = next(known, now)
		}
		if !ok {
			continue
		}
		if d.Deployed == nil {
			d.Deployed = make(map[string]deployedParty, len(parties))
		}
		d.Deployed[key] = known
	}
	return d
}

// knownRollouts corrects a target by what is known of the pods of each party:
// an update also brings what an app image was changed to in an earlier run.
func (d privateData) knownRollouts(target wait.Target, planned model, images imageLookup) wait.Target {
	parties := planned.Parties.items
	for i, p := range parties {
		known, ok := d.Deployed[p.key().String()]
		image, template := partyTemplate(p, images)
		if !ok || template == nil || target.Parties[i].Rollout != wait.NoRollout {
			continue
		}
		if known.Other != nil || rolledOutBy(p, image, template) != known.Rollout {
			target.Parties[i].Unchanged = false
			target.Parties[i].Rollout = rolloutOf(p.strategy.wire(), p.replicas.ValueInt32(), p.replicas.ValueInt32())
		}
	}
	return target
}
