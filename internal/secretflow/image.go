package secretflow

import (
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

// officialImage is the name of the image of SecretFlow.
const officialImage = "secretflow/serving-anolis8"

// isOfficial reports whether an image is that of SecretFlow, or in another registry one of the
// same name, which may have more files and a command of its own.
func (i *Image) isOfficial() bool {
	return i.Name == officialImage || strings.HasSuffix(i.Name, "/"+officialImage)
}

// isUpstream reports whether an image is certainly that of SecretFlow.
func (i *Image) isUpstream() bool { return strings.TrimPrefix(i.Name, "docker.io/") == officialImage }

// start is how the pods of an image start the application.
type start struct {
	// is is set if they are known to do so.
	is bool
	// container is the index of the container.
	container int
	// flags are those of the command; nil if they are not known.
	flags *flags
	// idle is set if there is no command, and that of the image is certainly a shell.
	idle bool
}

// start finds the container that starts the application: one with nothing else in its command
// before others.
func (i *Image) start() start {
	var found start
	for n := range i.Containers {
		if !i.names(&i.Containers[n]) {
			continue
		}
		if flags := i.flags(&i.Containers[n]); flags != nil {
			return start{is: true, container: n, flags: flags}
		}
		if !found.is {
			found = start{is: true, container: n}
		}
	}
	if found.is {
		return found
	}
	without := slices.IndexFunc(i.Containers, func(c Container) bool { return len(c.Command) == 0 && len(c.Args) == 0 })
	return start{is: i.isOfficial() && without >= 0, container: max(without, 0), idle: i.isUpstream()}
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

// hasPort reports whether a container has a port with a name, which fits.
func (i *Image) hasPort(name string, fits func(Port) bool) bool {
	return slices.ContainsFunc(i.Containers, func(c Container) bool {
		return slices.ContainsFunc(c.Ports, func(p Port) bool { return p.Name == name && fits(p) })
	})
}

// isShared reports whether other parties are told of a port.
func isShared(p Port) bool { return p.Scope == "Cluster" || p.Scope == "Domain" }
