// Package launch says how much each attribute decides which program runs.
package launch

import (
	"cmp"
	"slices"
	"strings"
)

// Weight is how much an attribute decides which program runs.
type Weight int

// The weights of the attributes of one object, the heaviest first.
const (
	Image     Weight = iota // another image
	Tag                     // the same image with another tag, digest or signature
	Command                 // what runs, or all of a container that is not known
	Arguments               // of the command
	Entry                   // where it begins, and which template a role gets
	Host                    // what it may do on its node
	Mount                   // which files it finds
	Loader                  // a variable by which other code is loaded
	Variable                // another variable, or a configuration text
	Rest
	New // whatever it is, of an object that did not run before
)

// objects are the weights in the order of the objects that have them: another tag is what most plans
// have.
var objects = []Weight{Image, Command, Arguments, Entry, Host, Mount, Loader, New, Tag, Variable, Rest}

// CompareObjects compares the heaviest weights of two objects: what decides most is first.
func CompareObjects(x, y Weight) int {
	return cmp.Compare(slices.Index(objects, x), slices.Index(objects, y))
}

// Heavier is the heavier one of the weights of an object in this order.
func Heavier(x, y Weight) Weight {
	if CompareObjects(x, y) <= 0 {
		return x
	}
	return y
}

// byName are the weights of attributes by their names, wherever they are.
var byName = map[string]Weight{
	"app_image": Image, "image_url": Image, "image": Image,
	// All that is in one of these may change.
	"deploy_templates": Command, "containers": Command, "init_containers": Command, "parties": Command,
	"command": Command, "exec": Command, "args": Arguments, "working_dir": Entry, "role": Entry,
	"privileged": Host, "host_network": Host, "host_pid": Host, "run_as_user": Host, "security_context": Host,
	"config_volume_mounts": Mount, "volumes": Mount, "mount_path": Mount, "sub_path": Mount,
	"input_config": Variable, "serving_input_config": Variable,
}

// Of is the weight of the attribute at a path. texts has what is at a path before and after the change, ""
// for what is not known.
func Of(path []string, texts func(path []string) []string) Weight {
	for at, key := range path {
		isElement := at+1 < len(path)
		of := func(name string) []string { return texts(append(slices.Clone(path[:at+2]), name)) }
		switch {
		case at == 0 && key == "config_templates":
			return Mount
		case key == "env_from":
			return Loader
		case key == "security_context":
			return Host
		case key == "env", key == "envs":
			if !isElement || slices.ContainsFunc(of("name"), isLoader) {
				return Loader
			}
			return Variable
		case key == "volumes":
			if !isElement || slices.ContainsFunc(of("type"), isOfHost) {
				return Host
			}
			return Mount
		case key == "image" && isElement && path[at+1] != "name":
			return Tag
		case key == "image":
			return Image
		}
	}
	last := len(path) - 1
	for last > 0 && strings.Trim(path[last], "0123456789") == "" {
		last--
	}
	if path[0] == "parties" && last == 1 { // all of a party
		return Command
	}
	if weight, ok := byName[path[last]]; ok {
		return weight
	}
	return Rest
}

// OfImages is the weight of a change of an image that is one text.
func OfImages(before, after string) Weight {
	if name := nameOf(before); name != "" && name == nameOf(after) {
		return Tag
	}
	return Image
}

// nameOf is an image without its tag and digest.
func nameOf(image string) string {
	name, _, _ := strings.Cut(image, "@")
	if at := strings.LastIndex(name, ":"); at > strings.LastIndex(name, "/") {
		name = name[:at]
	}
	return name
}

// loaders are variables by which programs load other code, or find other programs.
var loaders = []string{
	"PATH", "BASH_ENV", "ENV", "PROMPT_COMMAND", "GCONV_PATH", "GLIBC_TUNABLES",
	"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONUSERBASE", "PYTHONBREAKPOINT", "PYTHONWARNINGS", "PYTHONINSPECT",
	"CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "NODE_OPTIONS", "NODE_PATH",
	"PERL5LIB", "PERL5OPT", "RUBYLIB", "RUBYOPT",
}

// isLoader reports whether a variable is one of these, or may be.
func isLoader(name string) bool {
	return name == "" || strings.HasPrefix(name, "LD_") || slices.Contains(loaders, name)
}

// isOfHost reports whether a volume is of the node, or may be.
func isOfHost(kind string) bool { return kind == "" || kind == "hostPath" }
