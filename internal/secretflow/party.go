package secretflow

import (
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/configtemplate"
)

// partyChecker checks one party of a serving.
type partyChecker struct {
	*Serving
	*read
	problems
	party *Party
	// at is the path of the container in the app image.
	at string
	// version is that of the image, or those by which an unknown one is judged.
	version Versions
}

// read is what was read for parties, which mostly have the same.
type read struct {
	starts    map[*Image]start
	texts     map[string]*Text
	templates map[string]template
	files     map[string]*file
	// domains are those of the parties.
	domains map[string]bool
	// unreachable are the problems of parties without the port at which others reach them.
	unreachable problems
}

// newRead reads nothing yet but the parties.
func newRead(s *Serving) *read {
	r := &read{starts: map[*Image]start{}, texts: map[string]*Text{}, templates: map[string]template{}, files: map[string]*file{}, domains: map[string]bool{}}
	for n, p := range s.Parties {
		r.domains[p.Domain] = true
		if p.Image != nil && !p.Image.hasPort(portCommunication, isShared) {
			r.unreachable.addOnce(unreachable(n, &p))
		}
	}
	return r
}

// start is Image.start.
func (r *read) start(i *Image) start {
	found, is := r.starts[i]
	if !is {
		found = i.start()
		r.starts[i] = found
	}
	return found
}

// template is a config template that was parsed.
type template struct {
	*configtemplate.Template
	err error
}

// check returns the problems of the party's container.
func (c *partyChecker) check() []Problem {
	c.version = unknownVersions
	if c.party.Image != nil {
		c.version, _ = ofTag(c.party.Image.Tag)
	}
	c.parties()
	if c.party.Image == nil {
		c.text(&Container{EnvFrom: true}, nil)
	} else {
		c.image()
	}
	if c.version == since(afterNewest) {
		for i := range c.all {
			c.all[i] = c.all[i].ofUnread()
		}
	}
	return slices.DeleteFunc(c.all, func(p Problem) bool { return !p.Versions().has(c.version) })
}

// parties checks the number of parties.
func (c *partyChecker) parties() {
	if n := len(c.Parties); n < 2 && !c.Incomplete {
		c.add(Problem{
			Place: InParties, What: "The application needs at least two parties.",
			Answers: []Answer{{Versions: allVersions, Stage: StageParse, Code: codeLogic, Text: strconv.Itoa(n) + " vs 1.too few cluster party config to run serving.", order: orderParties}},
		})
	}
}

// text checks the configuration text as the party reads it.
func (c *partyChecker) text(container *Container, flags *flags) {
	c.eachText(container, func(text *string) []Problem {
		if text == nil {
			return nil
		}
		read := *c
		read.all = nil
		read.readText(c.parse(*text), flags)
		return read.all
	})
}

// eachText adds the problems of the text that the container gets, nil if it is not known. Of a
// text that depends on the runtime these are what all refuse.
func (c *partyChecker) eachText(container *Container, read func(text *string) []Problem) {
	if c.Text == nil {
		c.all = append(c.all, read(nil)...)
		return
	}
	expanded, known := c.expand(container, *c.Text)
	switch {
	case c.Runtime == RunK || known && expanded == *c.Text:
		c.all = append(c.all, read(c.Text)...)
	case !known:
		c.all = append(c.all, read(nil)...)
	case c.Runtime != UnknownRuntime:
		c.all = append(c.all, read(&expanded)...)
	default:
		other := read(&expanded)
		for _, p := range read(c.Text) {
			if slices.ContainsFunc(other, p.sameCause) {
				c.all = append(c.all, p)
			}
		}
	}
}

func (c *partyChecker) parse(text string) *Text {
	if c.texts[text] == nil {
		c.texts[text] = ParseText(text)
	}
	return c.texts[text]
}

func (c *partyChecker) readText(text *Text, flags *flags) {
	c.all = append(c.all, text.problems...)
	c.all = append(c.all, text.ownPart(c.party.Domain).all...)
	if flags != nil && flags.noLoadBalancer && text.needsLoadBalancer(c.party.Domain) {
		c.inImage(c.at+".command", "The command lacks the flag --flagfile=conf/gflags.conf, without which the parties reach each other only by the protocols http and h2.",
			"Start "+exampleCommand+", or set the protocol in channelDesc of each party to http.", noChannel)
	}
	refuse := func(name string, versions Versions) {
		c.add(Problem{
			Place: InText, Path: fieldPredictors, Named: fieldPredictors, What: "The serving has no such party.", Quote: quote(name),
			Answers: []Answer{{Versions: versions, Stage: StageParse, Code: codeInvalidArgument, Text: "invalid predictor party: " + name, order: orderPredictors}},
		})
	}
	if text.nullPredictor {
		refuse("", since(afterNewest))
	}
	for _, name := range text.predictors {
		if !c.Incomplete && !c.domains[name] {
			refuse(name, since(8))
			return
		}
	}
}

// The values by which the file of the application is filled for a check.
const (
	// unknownValue stands for one that is not known.
	unknownValue = "kuscia0unknown0value0"
	// textValue stands for the configuration text. It is lost where the text would be.
	textValue = `kuscia0text"0`
	// clusterDefine and allocatedPorts are of the form of what Kuscia tells a container.
	clusterDefine  = `{"parties":[],"selfPartyIdx":0,"selfEndpointIdx":0}`
	allocatedPorts = `{"ports":[]}`
)

// The variables of a container that Kuscia sets before the configuration text.
const (
	envDomain  = "KUSCIA_DOMAIN_ID"
	envCluster = "CLUSTER_DEFINE"
	envPorts   = "ALLOCATED_PORTS"
)

// variable returns a variable of a container.
func (c *partyChecker) variable(container *Container, name string) (value string, is bool) {
	for own, value := range container.Env {
		if strings.ToUpper(own) == name && value != "" { // else there is none
			if !container.Complete && strings.Contains(value, "$(") {
				value = unknownValue // a reference to another variable
			}
			return value, true
		}
	}
	if container.Complete {
		return "", false
	}
	switch name {
	case envDomain:
		return c.party.Domain, true
	case envCluster:
		return clusterDefine, true
	case envPorts:
		return allocatedPorts, true
	case "INPUT_CONFIG":
		return textValue, true
	case "SERVING_ID":
		return c.ID, true
	}
	return "", false
}

// expand replaces references to variables in the text, which are those before it in the list. known
// is false if the value of one is not known.
func (c *partyChecker) expand(container *Container, text string) (expanded string, known bool) {
	if container.Complete {
		return text, true
	}
	known = true
	expanded = configtemplate.Expand(text, func(name string) (string, bool) {
		_, own := container.Env[name]
		isFirst := name == envDomain || name == envCluster || name == envPorts
		if own || container.EnvFrom && !isFirst {
			known = false
		}
		value, _ := c.variable(container, name)
		return value, isFirst
	})
	return expanded, known
}

// template returns a config template of the party's app image.
func (c *partyChecker) template(name string) (*configtemplate.Template, error) {
	text := c.party.Image.Templates[name]
	parsed, is := c.templates[text]
	if !is {
		parsed.Template, parsed.err = configtemplate.Parse(text, configtemplate.Options{NoVerbatim: c.NoVerbatim})
		c.templates[text] = parsed
	}
	return parsed.Template, parsed.err
}

// render renders a config template that can be parsed.
func (c *partyChecker) render(container *Container, name string) (string, error) {
	parsed, err := c.template(name)
	if err != nil {
		return "", err
	}
	values := configtemplate.Values{Env: func(name string) (string, bool) { return c.variable(container, name) }}
	if !c.NoStore {
		values.Config = func(key string) string {
			if c.party.Store != nil && !container.EnvFrom {
				if value, known := c.party.Store(key); known {
					return value
				}
			}
			return unknownValue
		}
	}
	return parsed.Render(values)
}
