package ief

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The documented limits.
var (
	label      = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	appVersion = regexp.MustCompile(`^[a-z0-9][-.a-z0-9]*$`)
	envName    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	volumeName = regexp.MustCompile(`^[a-z0-9]+$`)
	hostPath   = regexp.MustCompile(`^/[-\\_.A-Za-z0-9/]*$`)
)

const notInDescription = `^~#$%&*<>()[]{}'"\`

// check refuses what the documents do not allow.
func check(version string, content object) *failure {
	maxName := 32
	if version == "v2" {
		maxName = 64
	}
	name, description := text(content, "name"), text(content, "description")
	nodes, group := texts(content["node_ids"]), text(content, "group_id")
	switch {
	case !label.MatchString(name) || len(name) > maxName:
		return refuse(codeName, "The deployment name does not comply with specifications.")
	case len([]rune(description)) > 255 || strings.ContainsAny(description, notInDescription):
		return refuse(codeName, "The description does not comply with specifications.")
	case (len(nodes) == 1) == (group != "") || len(nodes) > 1:
		return refuse(codeName, "One node or one group is needed.")
	}
	if version == "v2" {
		app := objectIn(content, "app")
		if _, given := app["migration"].(bool); group != "" && !given {
			return refuse(codeName, "In a group of nodes migration is needed.")
		}
		return checkV2(app)
	}
	return checkV3(objectIn(content, "deployment"))
}

func checkV3(spec object) *failure {
	replicas, _ := number(spec, "replicas")
	template := objectIn(spec, "template")
	configs := objectIn(template, "configs")
	containers := objects(template["containers"])
	switch {
	case replicas < 1 || replicas > 99:
		return refuse(codeName, "The number of replicas does not comply with specifications.")
	case !slices.Contains([]string{"Always", "OnFailure", "Never"}, text(configs, "restart_policy")):
		return refuse(codeName, "The restart policy does not comply with specifications.")
	case len(containers) == 0:
		return refuse(codeName, "A deployment needs a container.")
	}
	for _, container := range append(containers, objects(template["init_containers"])...) {
		if n := text(container, "name"); !label.MatchString(n) || len(n) > 32 {
			return refuse(codeName, "The container name does not comply with specifications.")
		}
		if failed := checkContainer(container, container["ports"]); failed != nil {
			return failed
		}
		for _, side := range []string{"limits", "requests"} {
			for key, amount := range objectIn(objectIn(container, "resources"), side) {
				written, ok := amount.(string)
				if _, err := strconv.ParseFloat(written, 64); !ok || err != nil {
					return refuse(codeName, "The amount of %s is no number in a text.", key)
				}
			}
		}
	}
	return nil
}

func checkV2(app object) *failure {
	name, version := text(app, "name"), text(app, "version")
	switch {
	case !label.MatchString(name) || len(name) > 64:
		return refuse(codeName, "The application name does not comply with specifications.")
	case version != "" && (!appVersion.MatchString(version) || len(version) > 64):
		return refuse(codeVersion, "The application version does not comply with specifications.")
	}
	for _, side := range []string{"limits", "requests"} {
		for key, amount := range objectIn(objectIn(app, "resources"), side) {
			if _, ok := amount.(json.Number); !ok {
				return refuse(codeName, "The amount of %s is no number.", key)
			}
		}
	}
	return checkContainer(app, objectIn(app, "configs")["ports"])
}

func checkContainer(container object, ports any) *failure {
	if image := text(container, "image_url"); image == "" || len(image) > 2083 {
		return refuse(codeName, "The image URL does not comply with specifications.")
	}
	var seen []string
	for _, env := range objects(container["envs"]) {
		name, sources := text(env, "name"), 0
		for _, source := range []string{"value", "value_from", "field_path"} {
			if env[source] != nil {
				sources++
			}
		}
		if !envName.MatchString(name) || slices.Contains(seen, name) || sources != 1 {
			return refuse(codeEnv, "The environment variable %s does not comply with specifications.", name)
		}
		seen = append(seen, name)
	}
	for _, volume := range objects(container["volumes"]) {
		if !volumeName.MatchString(text(volume, "name")) || !validSource(text(volume, "type"), text(volume, "source")) || text(volume, "destination") == "" {
			return refuse(codeVolume, "The attached volume does not meet specifications.")
		}
	}
	for _, port := range objects(ports) {
		if n, ok := number(port, "container_port"); !ok || n < 1 || n > 65535 {
			return refuse(codeName, "The port does not comply with specifications.")
		}
	}
	return nil
}

func validSource(kind, source string) bool {
	switch kind {
	case "hostPath":
		return hostPath.MatchString(source)
	case "emptyDir":
		return source == "disk" || source == "memory"
	case "configMap", "secret":
		return source != ""
	}
	return false
}

func text(in object, name string) string {
	value, _ := in[name].(string)
	return value
}

func number(in object, name string) (int64, bool) {
	value, ok := in[name].(json.Number)
	if !ok {
		return 0, false
	}
	n, err := value.Int64()
	return n, err == nil
}

func objectIn(in object, name string) object {
	value, _ := in[name].(object)
	return value
}

func objects(value any) []object {
	var out []object
	list, _ := value.([]any)
	for _, element := range list {
		if o, ok := element.(object); ok {
			out = append(out, o)
		}
	}
	return out
}

func texts(value any) []string {
	var out []string
	list, _ := value.([]any)
	for _, element := range list {
		if t, ok := element.(string); ok {
			out = append(out, t)
		}
	}
	return out
}

func cloneObject(in object) object {
	out := make(object, len(in))
	for name, value := range in {
		out[name] = value
	}
	return out
}
