package rollout

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// definitionDigests summarises what only a new serving gets of an app image. It
// is asked for every party of every plan, and most have the same few images.
func definitionDigests(image *kuscia.AppImage, template *kuscia.DeployTemplate) map[string]string {
	knownDigests.Lock()
	defer knownDigests.Unlock()
	digests, ok := knownDigests.For[template]
	if !ok {
		if len(knownDigests.For) >= maxKnownDigests {
			clear(knownDigests.For)
		}
		digests = makeDigests(image, template)
		knownDigests.For[template] = digests
	}
	return digests
}

// maxKnownDigests bounds what is remembered.
const maxKnownDigests = 1000

// knownDigests remembers digests by the template, which is a part of its image.
var knownDigests = struct {
	sync.Mutex
	For map[*kuscia.DeployTemplate]map[string]string
}{For: map[*kuscia.DeployTemplate]map[string]string{}}

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
		ports[i].Protocol, ports[i].Scope = cmp.Or(ports[i].Protocol, "HTTP"), cmp.Or(ports[i].Scope, "Local")
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

// imageRolloutOf is what an update brings to the pods of a party.
func imageRolloutOf(p model.Party, image *kuscia.AppImage, template *kuscia.DeployTemplate) model.ImageRollout {
	desired := p.Resources.Spec()
	own := make([]kuscia.Resource, len(template.Containers))
	for i := range template.Containers {
		c := &template.Containers[i]
		own[i] = model.WithImageDefaults(desired.ForContainer(c.Name), c.Resources).Wire(c.Name)
	}
	amounts := model.SnapshotOf(own)
	maps.DeleteFunc(amounts, func(_ string, of [4]int64) bool { return of == [4]int64{} })
	r := model.ImageRollout{Image: image.Image.Name + ":" + image.Image.Tag}
	if len(amounts) > 0 {
		r.Resources = digest(amounts)
	}
	return r
}

// partyTemplate finds the app image of a party and its deploy template.
func partyTemplate(p model.Party, images party.ImageLookup) (*kuscia.AppImage, *kuscia.DeployTemplate) {
	if !p.KeyKnown() || p.AppImage.IsUnknown() || !p.Resources.Known() {
		return nil, nil
	}
	image := images(p.AppImage.ValueString())
	if image == nil {
		return nil, nil
	}
	return image, party.TemplateFor(image, p.Role.ValueString())
}

// RecordCreate is the memory of a serving that was just created.
func RecordCreate(d model.Private, state model.Serving, images party.ImageLookup) model.Private {
	d.Deployed = nil
	return RecordUpdate(d, state, images)
}

// RecordUpdate is the memory after an update that reached the pods: all parties
// have the image and the resources of their app images now, and none has more
// of their definitions. Of a party of which nothing is known, as after an
// import, what its app image is now is taken for granted.
func RecordUpdate(d model.Private, state model.Serving, images party.ImageLookup) model.Private {
	return withDeployed(d, state, images, func(known model.DeployedParty, now model.ImageRollout) model.DeployedParty {
		known.Rollout, known.Other = now, nil
		return known
	})
}

// RecordRefresh is the memory after a refresh. An app image that now has other
// things than the last update brought may have reached the pods.
func RecordRefresh(d model.Private, state model.Serving, images party.ImageLookup) model.Private {
	return withDeployed(d, state, images, func(known model.DeployedParty, now model.ImageRollout) model.DeployedParty {
		if now != known.Rollout {
			known.Other = &now
		}
		return known
	})
}

// withDeployed goes through the parties of a state. One whose app image cannot
// be asked keeps what is known.
func withDeployed(d model.Private, state model.Serving, images party.ImageLookup, next func(known model.DeployedParty, now model.ImageRollout) model.DeployedParty) model.Private {
	before := d.Deployed
	d.Deployed = nil
	parties := state.Parties.Items
	for _, p := range parties {
		key := p.Key().String()
		known, ok := before[key]
		if image, template := partyTemplate(p, images); template != nil {
			now := imageRolloutOf(p, image, template)
			if !ok {
				known, ok = model.DeployedParty{Definition: definitionDigests(image, template), Rollout: now}, true
			}
			known = next(known, now)
		}
		if !ok {
			continue
		}
		if d.Deployed == nil {
			d.Deployed = make(map[string]model.DeployedParty, len(parties))
		}
		d.Deployed[key] = known
	}
	return d
}

// AddImageRollouts corrects a target by what is known of the pods of each party:
// an update also brings what an app image was changed to in an earlier run.
func AddImageRollouts(d model.Private, target wait.Target, planned model.Serving, images party.ImageLookup) wait.Target {
	parties := planned.Parties.Items
	for i, p := range parties {
		known, ok := d.Deployed[p.Key().String()]
		image, template := partyTemplate(p, images)
		if !ok || template == nil || target.Parties[i].Rollout != wait.NoRollout {
			continue
		}
		if known.Other != nil || imageRolloutOf(p, image, template) != known.Rollout {
			target.Parties[i].Unchanged = false
			target.Parties[i].Rollout = rolloutOf(p.Strategy.Wire(), p.Replicas.ValueInt32(), p.Replicas.ValueInt32())
		}
	}
	return target
}
