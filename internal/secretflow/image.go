package secretflow

import (
	"path"
	"slices"
	"strings"
)

// Image is the part of an app image that a party uses.
type Image struct {
	// Name and Tag are those of the container image.
	Name, Tag string
	// Templates are the config templates by name.
	Templates map[string]string
	// AppImage is the name of the app image.
	AppImage string
	// Containers are those of the deploy template for the role of the party, whose path in the
	// app image is At.
	Containers []Container
	At         string
}

// Container is a container of a deploy template.
type Container struct {
	Name          string
	Command, Args []string
	// Env are the variables with literal values, EnvFrom is set if there are others.
	Env     map[string]string
	EnvFrom bool
	// Complete is set for a container that is started: Env are all of its variables, also those of
	// Kuscia, with references replaced.
	Complete bool
	Mounts   []Mount
	Ports    []Port
}

// Mount is a config template that a container has as a file.
type Mount struct{ Path, Template string }

// Port is a port of a container, with its scope: Cluster, Domain or Local.
type Port struct{ Name, Scope string }

// officialImage is the name of the image of SecretFlow, in any registry.
const officialImage = "secretflow/serving-anolis8"

// isOfficial reports whether an image is that of SecretFlow.
func (i *Image) isOfficial() bool {
	return i.Name == officialImage || strings.HasSuffix(i.Name, "/"+officialImage)
}

// start is how the pods of an image start the application.
type start struct {
	// is is set if they are known to do so.
	is bool
	// container is the index of the container.
	container int
	// flags are those of the command; nil if it is missing.
	flags *flags
}

// start finds the container that starts the application.
func (i *Image) start() start {
	for n := range i.Containers {
		if found := parseFlags(&i.Containers[n]); found != nil && (i.isOfficial() || found.mode.is("kuscia")) {
			return start{true, n, found}
		}
	}
	without := slices.IndexFunc(i.Containers, func(c Container) bool { return len(c.Command) == 0 && len(c.Args) == 0 })
	return start{is: i.isOfficial() && without >= 0, container: max(without, 0)}
}

// IsServing reports whether pods of an image start SecretFlow-Serving, as far as its command or
// its name tells.
func IsServing(i *Image) bool {
	_, is := Application(i)
	return is
}

// Application returns the index of the container that starts SecretFlow-Serving, as far as the
// command or the name of the image tells.
func Application(i *Image) (container int, is bool) {
	start := i.start()
	return start.container, start.is
}

// flag is the value of a flag; known is false if it may come from elsewhere.
type flag struct {
	value string
	known bool
}

// is reports that a flag certainly or possibly has a value.
func (f flag) is(value string) bool { return f.value == value }

// flags are the flags of the application.
type flags struct {
	mode, configFile, logging, trace flag
	// noLoadBalancer is set if the application certainly balances no load among peers.
	noLoadBalancer bool
}

// usualFlagFile is the file of the image that turns the load balancer on and sets nothing else.
const usualFlagFile = "conf/gflags.conf"

// parseFlags reads the flags of a container's command. nil: it does not start the application.
func parseFlags(c *Container) *flags {
	words := commandWords(c)
	start := slices.IndexFunc(words, func(w string) bool { return path.Base(w) == "secretflow_serving" })
	if start < 0 {
		return nil
	}
	given := map[string]string{}
	for n := start + 1; n < len(words); n++ {
		if strings.ContainsAny(words[n][:1], ";&|") {
			break
		}
		name, value, assigned := strings.Cut(strings.TrimLeft(words[n], "-"), "=")
		if !strings.HasPrefix(words[n], "-") {
			continue
		}
		if !assigned && n+1 < len(words) && !strings.HasPrefix(words[n+1], "-") {
			n++
			value = words[n]
		}
		given[strings.ReplaceAll(name, "-", "_")] = value
	}
	file, hasFile := given["flagfile"]
	others := hasFile && file != usualFlagFile || has(given, "fromenv") || has(given, "tryfromenv")
	get := func(name string) flag {
		value, is := given[name]
		return flag{value, (is || !others) && !strings.Contains(value, "$")}
	}
	return &flags{
		mode: get("config_mode"), configFile: get("serving_config_file"), logging: get("logging_config_file"), trace: get("trace_config_file"),
		noLoadBalancer: !hasFile && !others && !has(given, "enable_peers_load_balancer"),
	}
}

func has(given map[string]string, name string) bool {
	_, is := given[name]
	return is
}

// commandWords returns the words of a command, also of a script for a shell.
func commandWords(c *Container) []string {
	var words []string
	for _, part := range slices.Concat(c.Command, c.Args) {
		for _, separator := range []string{";", "&&", "||", "|"} {
			part = strings.ReplaceAll(part, separator, " "+separator+" ")
		}
		for _, word := range strings.Fields(strings.ReplaceAll(part, "\\\n", " ")) {
			if word = strings.Trim(word, `"'`); word != "" {
				words = append(words, word)
			}
		}
	}
	return words
}

// hasPort reports whether a container has a port with a name, which fits.
func (i *Image) hasPort(name string, fits func(Port) bool) bool {
	return slices.ContainsFunc(i.Containers, func(c Container) bool {
		return slices.ContainsFunc(c.Ports, func(p Port) bool { return p.Name == name && fits(p) })
	})
}

// isShared reports whether other parties are told of a port.
func isShared(p Port) bool { return p.Scope == "Cluster" || p.Scope == "Domain" }
