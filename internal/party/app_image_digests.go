package party

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// DefinitionDigests returns, by the name of the attribute of kuscia_app_image,
// a digest of each part of an app image that Kuscia applies only to new
// Deployments. An empty part has none. It is called for every party of every
// plan, so the digests are cached.
func DefinitionDigests(image *kuscia.AppImage, template *kuscia.DeployTemplate) map[string]string {
	digestCache.Lock()
	defer digestCache.Unlock()
	digests, ok := digestCache.For[template]
	if !ok {
		if len(digestCache.For) >= maxKnownDigests {
			clear(digestCache.For)
		}
		digests = makeDigests(image, template)
		digestCache.For[template] = digests
	}
	return digests
}

// maxKnownDigests limits the size of the cache.
const maxKnownDigests = 1000

// digestCache caches digests by the template, which is a part of its image.
var digestCache = struct {
	sync.Mutex
	For map[*kuscia.DeployTemplate]map[string]string
}{For: map[*kuscia.DeployTemplate]map[string]string{}}

func makeDigests(image *kuscia.AppImage, template *kuscia.DeployTemplate) map[string]string {
	parts := map[string]map[string]any{}
	addPart := func(attribute, container string, value any) {
		if value = withoutZeros(value); value == nil {
			return
		}
		if parts[attribute] == nil {
			parts[attribute] = map[string]any{}
		}
		parts[attribute][container] = value
	}
	addPart("image.id", "", image.Image.ID)
	addPart("image.sign", "", image.Image.Sign)
	addPart("config_templates", "", image.ConfigTemplates)
	addPart("restart_policy", "", template.RestartPolicy)
	for i, c := range template.Containers {
		addPart("containers", c.Name, i+1)
		addPart("command", c.Name, c.Command)
		addPart("args", c.Name, c.Args)
		addPart("working_dir", c.Name, c.WorkingDir)
		addPart("config_volume_mounts", c.Name, c.ConfigVolumeMounts)
		addPart("ports", c.Name, completePorts(c.Ports))
		addPart("env_from", c.Name, c.EnvFrom)
		addPart("env", c.Name, c.Env)
		addPart("liveness_probe", c.Name, c.LivenessProbe)
		addPart("readiness_probe", c.Name, c.ReadinessProbe)
		addPart("startup_probe", c.Name, c.StartupProbe)
		addPart("image_pull_policy", c.Name, c.ImagePullPolicy)
	}
	digests := make(map[string]string, len(parts))
	for attribute, part := range parts {
		digests[attribute] = Digest(part)
	}
	return digests
}

// completePorts returns ports with the server's defaults.
func completePorts(ports []kuscia.ContainerPort) []kuscia.ContainerPort {
	ports = slices.Clone(ports)
	for i := range ports {
		ports[i].Protocol, ports[i].Scope = cmp.Or(ports[i].Protocol, "HTTP"), cmp.Or(ports[i].Scope, "Local")
	}
	return ports
}

// Digest is short on purpose: it detects a change, but cannot confirm a guess of
// a value, which may be a secret in env.
func Digest(value any) string {
	// Plain values always encode, and maps in the order of their keys.
	encoded, _ := json.Marshal(value)
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:3])
}

// withoutZeros returns a value as in JSON without what is empty: Kuscia leaves
// out, or fills in, what a definition does not set. Nil means an empty value.
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
			value[i] = prune(value[i]) // an empty element is still an element
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

// ChangedAttributes returns the sorted names of the attributes whose digests
// differ.
func ChangedAttributes(before, after map[string]string) (changed []string) {
	all := maps.Clone(before)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, after)
	for attribute := range all {
		if before[attribute] != after[attribute] {
			changed = append(changed, attribute)
		}
	}
	slices.Sort(changed)
	return changed
}

// NotAppliedSummary is the summary of a warning with the text of
// DescribeNotApplied.
const NotAppliedSummary = "Running pods do not get this change of the app image"

// DescribeNotApplied describes which attributes of an app image running pods do
// not get; of is what has to be created anew to get them, "serving" or
// "deployment".
func DescribeNotApplied(of, image string, attributes []string) string {
	return fmt.Sprintf("App image %q now differs in %s from the definition from which the pods of this party were created. Kuscia applies these only to a new %s, and this plan does not create one: "+
		"the pods are not changed, not even by a restart.", httpapi.Text(image), strings.Join(attributes, ", "), of)
}
