package secretflow

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/configtemplate"
)

// exampleCommand is what an app image usually starts.
const exampleCommand = "./secretflow_serving --flagfile=conf/gflags.conf --config_mode=kuscia --serving_config_file=PATH"

// unknownFlag begins what is said of a flag that the application does not have.
const unknownFlag = "unknown command line flag "

// image checks the container of the party that starts the application.
func (c *partyChecker) image() {
	started := c.start(c.party.Image)
	flags, container := started.flags, &c.party.Image.Containers[started.container]
	c.at = fmt.Sprintf("%s.containers[%d]", c.party.Image.At, started.container)
	for i := range c.party.Image.Containers {
		c.parseTemplates(&c.party.Image.Containers[i])
	}
	if started.idle {
		c.inImage(c.at+".command", "The container has no command, and that of the image is a shell that ends at once.", "Start "+exampleCommand+" in working_dir /root/sf_serving.",
			Answer{Versions: allVersions, Stage: StageCommand})
	}
	if flags == nil {
		c.text(container, nil)
		return
	}
	c.logging(container, flags)
	switch {
	case !flags.configFile.known:
		c.text(container, flags)
	case flags.configFile.value == "":
		c.inImage(c.at+".command", "The command lacks the flag --serving_config_file.", "Start "+exampleCommand+".",
			Answer{Versions: allVersions, Stage: StageFlags, Text: "FLAGS_serving_config_file get empty value"})
		c.text(container, flags)
	default:
		c.configFile(container, flags)
	}
}

// inImage adds a problem of the app image.
func (c *partyChecker) inImage(at, what, allowed string, answers ...Answer) {
	c.add(Problem{Place: InImage, AppImage: c.party.Image.AppImage, Path: at, What: what, Allowed: allowed, Answers: answers})
}

// parseTemplates checks that the agent can parse the templates of a container.
func (c *partyChecker) parseTemplates(container *Container) {
	for _, mount := range container.Mounts {
		if _, is := c.party.Image.Templates[mount.Template]; !is {
			continue
		}
		var failed *configtemplate.ParseError
		if _, err := c.template(mount.Template); errors.As(err, &failed) {
			c.inImage(templatePath(mount.Template), "Kuscia cannot parse the template, and makes no container.", "Keys are written {{.KEY}}.",
				Answer{Versions: allVersions, Stage: StageRender, Text: err.Error()})
		}
	}
}

func templatePath(name string) string { return fmt.Sprintf("config_templates[%q]", name) }

// mounted returns the template that a container has as a file. is is false if there is no such
// file; known is false if the image itself may have it.
func (c *partyChecker) mounted(container *Container, file string) (name string, is, known bool) {
	i := slices.IndexFunc(container.Mounts, func(m Mount) bool { return path.Clean(m.Path) == path.Clean(file) })
	if i < 0 {
		return "", false, c.party.Image.isUpstream() && path.IsAbs(file)
	}
	name = container.Mounts[i].Template
	_, is = c.party.Image.Templates[name]
	return name, is, true
}

// logging checks the files of the logging and trace flags.
func (c *partyChecker) logging(container *Container, flags *flags) {
	if before(3).has(c.version) && flags.trace.known && flags.trace.value != "" {
		c.inImage(c.at+".command", "The application has the flag --trace_config_file since 0.3.", "",
			Answer{Versions: before(3), Stage: StageFlags, Text: unknownFlag + "'trace_config_file'"})
	}
	for _, file := range []flag{flags.logging, flags.trace} {
		if file.value == "" || !file.known {
			continue
		}
		name, is, known := c.mounted(container, file.value)
		if !known {
			continue
		}
		if !is {
			c.inImage(c.at+".config_volume_mounts", "The file "+file.value+" of a flag is not mounted.", "Mount a config template at this path, or leave the flag out.",
				Answer{Versions: allVersions, Stage: StageFlags, Code: codeIO, Text: "can not find file: " + file.value, order: -1})
			continue
		}
		if !before(7).has(c.version) {
			continue
		}
		rendered, err := c.render(container, name)
		if err != nil || strings.Contains(rendered, unknownValue) {
			continue
		}
		if root, failed := parseJSON(rendered); failed != nil || root.kind != objectNode {
			says := ""
			if failed != nil {
				says = failed.says
			}
			c.inImage(templatePath(name), "The application reads the file "+file.value+" as JSON before version 0.7, and it is none.", "Leave the flag out, or use version 0.7 or later.",
				Answer{Versions: before(7), Stage: StageFlags, Code: codeJSON, Text: jsonFailed + says, order: -1})
		}
	}
}

// configFile checks the file of the flag --serving_config_file.
func (c *partyChecker) configFile(container *Container, flags *flags) {
	name, is, known := c.mounted(container, flags.configFile.value)
	if !known {
		c.text(container, flags)
		return
	}
	if !is {
		c.inImage(c.at+".config_volume_mounts", "The file "+flags.configFile.value+" of the flag --serving_config_file is not mounted, or its template is missing.",
			"Mount a config template at this path.", Answer{Versions: allVersions, Stage: StageParse, Code: codeInvalidArgument, Text: fileFailed, order: orderFile})
		c.text(container, flags)
		return
	}
	read := func(text *string) []Problem {
		f := fileChecker{partyChecker: *c, container: container, flags: flags, name: name, input: text}
		f.all = nil
		f.check()
		return f.all
	}
	c.eachText(container, read)
}
