package agent

import (
	"errors"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/configtemplate"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/workload"
)

// container is a container to be started, with all that was read for it.
type container struct {
	pod     *objects.PodTemplate
	index   int
	version versions.Version
	// templates are the config templates, from are sources of variables.
	templates map[string]string
	from      []source
	// entry returns an entry of the configuration of the domain, if it is known.
	entry func(key string) (value string, known bool)
}

// source has variables, whose names get a prefix.
type source struct {
	prefix string
	data   map[string]string
}

func (c *container) spec() *objects.PodContainer { return &c.pod.Spec.Containers[c.index] }

// maxVariable is the maximum length of the name and the value of a variable on Linux.
const maxVariable = 131072 - 2

// start starts the container.
func (c *container) start() workload.Outcome {
	for _, mount := range c.spec().VolumeMounts {
		var failed *configtemplate.ParseError
		if _, err := configtemplate.Parse(c.template(mount), c.options()); errors.As(err, &failed) {
			return workload.Outcome{Waiting: &workload.Waiting{
				Reason:  workload.CreateContainerConfigError,
				Message: fmt.Sprintf("failed to handle make mounts context: failed to render config template file %q, detail-> %s", mount.SubPath, failed),
			}}
		}
	}
	env := c.env()
	for name, value := range env {
		if len(name)+len(value) > maxVariable {
			return ended(exitNotRun, "StartError", "failed to create containerd task: unable to start container process: argument list too long")
		}
	}
	return c.application(env)
}

// options are those of the version.
func (c *container) options() configtemplate.Options {
	return configtemplate.Options{NoVerbatim: !c.version.Has(versions.VerbatimTemplateKeys)}
}

// template is the config template of a mount, "" for another mount.
func (c *container) template(mount objects.VolumeMount) string {
	if mount.Name != c.pod.Meta.Annotations[objects.AnnotationTemplates] {
		return ""
	}
	return c.templates[mount.SubPath]
}

// env are the variables of the container. One without a value does not exist, and references to
// earlier ones are replaced.
func (c *container) env() map[string]string {
	env := map[string]string{}
	for _, from := range c.from {
		for name, value := range from.data {
			env[from.prefix+name] = value
		}
	}
	lookup := func(name string) (string, bool) {
		value, is := env[name]
		return value, is
	}
	for _, variable := range c.spec().Env {
		if variable.Value != "" {
			env[variable.Name] = configtemplate.Expand(variable.Value, lookup)
		}
	}
	return env
}

// exitNotRun is the exit code of a runtime that could not execute a command.
const exitNotRun = 128

func ended(code int32, reason, message string) workload.Outcome {
	return workload.Outcome{Ended: &workload.Terminated{ExitCode: code, Reason: reason, Message: message}}
}
