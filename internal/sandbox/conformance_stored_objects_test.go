package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The observers here compare custom resources as kubectl has printed them.
var _ = addReplay(map[string]func(*objectReplay){
	// The setup has made this domain, and the print has nothing of it.
	"route-1[212]": func(r *objectReplay) {
		defer r.controlPlane.Acquire()()
		must(r.t, server.TableOf[objects.Domain](r.controlPlane).Delete("", "c"))
	},
}, map[string]func(*objectReplay, transcriptItem) error{
	"domain-2[5]":   (*objectReplay).observeRoutes,
	"domain-2[161]": (*objectReplay).observeRoutes,
	"domain-2[6]":   printedAs("", "rk-d1", labelsOf),
	"domain-2[79]":  (*objectReplay).observeNoNamespace,
	"domain-2[110]": printedAs("", "rk-d1", generationOf),
	"domain-2[113]": printedAs("", "rk-d1", generationOf),
	"domain-2[115]": printedAs("", "rk-d1", generationOf),
	"domain-2[125]": printedAs("", "rk-d1", generationOf),
	"domain-2[128]": printedAs("", "rk-d1", generationOf),
	"domain-2[156]": (*objectReplay).observeNamespaces,

	"extra-1-races-and-links[14]": printedAs("", "rk-race", labelsOf),
	"extra-1-races-and-links[17]": printedAs("", "rk-race", labelsOf),

	"datasource-1[10]": printedAs(nodeOfRecordings, "rk-lf", func(s *objects.DomainDataSource) string {
		return strings.Join([]string{s.Spec.URI, s.Spec.Name, s.Spec.Type, s.Spec.InfoKey}, " ")
	}),
	"domaindata-1[16]": printedAs(nodeOfRecordings, "rk-full", func(d *objects.DomainData) string {
		return printed(d.Labels) + " " + printed(d.Annotations) + " " + d.Spec.FileFormat
	}),
	"grant-1[11]": (*objectReplay).observeGeneratedGrant,
	"grant-1[19]": printedAs(nodeOfRecordings, "rk-g1", func(g *objects.DomainDataGrant) string { return printed(g.Spec) }),
	"grant-1[85]": printedAs(nodeOfRecordings, "rk-g1", grantOf),
	"grant-1[88]": printedAs(nodeOfRecordings, "rk-g1", grantOf),
	"grant-1[90]": printedAs(nodeOfRecordings, "rk-g1", grantOf),

	"route-1[15]": printedAs("", "rk-a-rk-b", func(route *objects.ClusterDomainRoute) string {
		return printed(route.Spec) + " " + printed(route.Status)
	}),
	"route-1[212]":      (*objectReplay).observeCopies,
	"route-1[213]":      printedAs("rk-a", "rk-a-rk-b", statusOfCopy),
	"route-1[214]":      printedAs("rk-b", "rk-a-rk-b", statusOfCopy),
	"route-2-ready[9]":  (*objectReplay).observeNoCopies,
	"route-2-ready[10]": (*objectReplay).observeNoCopies,
})

// printed is a part of an object as kubectl prints it: with sorted names.
func printed(part any) string {
	text, _ := json.Marshal(part) // parts of objects always marshal
	var tree any
	_ = json.Unmarshal(text, &tree)
	text, _ = json.Marshal(tree)
	return string(text)
}

func labelsOf(n *objects.Namespace) string { return printed(n.Labels) }

func generationOf(d *objects.Domain) string { return fmt.Sprint(d.Generation, "/", printed(d.Spec)) }

func grantOf(g *objects.DomainDataGrant) string {
	return fmt.Sprint(g.Generation, " ", printed(g.Spec), " owners=", printed(g.OwnerReferences))
}

// statusOfCopy is the status of a copy of a route, which nobody has written without a gateway.
func statusOfCopy(route *objects.DomainRoute) string {
	if text := printed(route.Status); text != printed(objects.DomainRouteStatus{}) {
		return text
	}
	return ""
}

// observeGeneratedGrant compares the grant whose id the server has generated.
func (r *objectReplay) observeGeneratedGrant(item transcriptItem) error {
	return printedAs(nodeOfRecordings, r.ids["domaindatagrant-7b8e8798618e4dad18121013e4ddb156"], func(g *objects.DomainDataGrant) string {
		return printed(g.Labels) + " " + printed(g.Annotations) + " " + printed(g.OwnerReferences)
	})(r, item)
}

// changing is what differs each time, and the empty status of tokens, which is not stored here.
var changing = regexp.MustCompile(`"uid":"[^"]*"|"last\w+Time":"[^"]*"|,"tokenStatus":\{\}`)

// printedAs compares an object with the recorded print of it.
func printedAs[T any](namespace, name string, form func(*T) string) func(*objectReplay, transcriptItem) error {
	return func(r *objectReplay, item transcriptItem) error {
		return r.sameText(item, func() (string, error) {
			object := server.TableOf[T](r.controlPlane).Get(namespace, name)
			if object == nil {
				return "", fmt.Errorf("no %s %s/%s", objects.KindOf[T]().Name, namespace, name)
			}
			return form(object), nil
		})
	}
}

// sameText compares a text with the recorded one. Controllers may need some time for it.
func (r *objectReplay) sameText(item transcriptItem, have func() (string, error)) error {
	var want string
	if err := json.Unmarshal(item.Observed, &want); err != nil {
		return err
	}
	return r.settles(func() error {
		text, err := have()
		if text, want := changing.ReplaceAllString(text, ""), changing.ReplaceAllString(want, ""); err == nil && text != want {
			err = fmt.Errorf("stored\n%s\nrecorded\n%s", text, want)
		}
		return err
	})
}

// settles checks an observation, with the lock held, until it holds.
func (r *objectReplay) settles(check func() error) error {
	locked := func() error {
		defer r.controlPlane.Acquire()()
		return check()
	}
	err := locked()
	for waited := time.Duration(0); err != nil && waited < unrecorded; waited += between {
		r.servers[portMaster].Advance(between)
		err = locked()
	}
	if err != nil && r.controlPlane.API != nil {
		return settles(locked) // its controller of namespaces has the clock of the machine
	}
	return err
}

// sameLines compares lines with the recorded ones, of which some are of objects that were
// there before.
func (r *objectReplay) sameLines(recorded string, before func(fields []string) bool, have func() []string) error {
	var want []string
	for line := range strings.Lines(recorded) {
		if fields := strings.Fields(line); !before(fields) {
			want = append(want, strings.Join(fields, " "))
		}
	}
	slices.Sort(want)
	return r.settles(func() error {
		lines := slices.Sorted(slices.Values(have()))
		if !slices.Equal(lines, want) {
			return fmt.Errorf("stored\n%s\nrecorded\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
		}
		return nil
	})
}

func none([]string) bool { return false }

// observeRoutes compares the names of all routes.
func (r *objectReplay) observeRoutes(item transcriptItem) error {
	var routes struct{ CDR string }
	if json.Unmarshal(item.Observed, &routes) != nil {
		if err := json.Unmarshal(item.Observed, &routes.CDR); err != nil {
			return err
		}
	}
	return r.sameLines(routes.CDR, none, func() (lines []string) {
		for _, route := range server.TableOf[objects.ClusterDomainRoute](r.controlPlane).List("") {
			lines = append(lines, "clusterdomainroute.kuscia.secretflow/"+route.Name)
		}
		return lines
	})
}

// observeNoNamespace: the name of a namespace has no dot.
func (r *objectReplay) observeNoNamespace(item transcriptItem) error {
	name := regexp.MustCompile(`namespaces \\"(\S+)\\" not found`).FindSubmatch(item.Observed)
	if name == nil {
		return errors.New("no name is recorded")
	}
	r.servers[portMaster].Advance(2 * time.Second)
	defer r.controlPlane.Acquire()()
	if server.TableOf[objects.Namespace](r.controlPlane).Get("", string(name[1])) != nil {
		return fmt.Errorf("there is a namespace %s", name[1])
	}
	return nil
}

// observeNamespaces compares the namespaces of the domains of this recording with their labels.
func (r *objectReplay) observeNamespaces(item transcriptItem) error {
	var want string
	if err := json.Unmarshal(item.Observed, &want); err != nil {
		return err
	}
	var names []string
	return r.sameLines(want, func(fields []string) bool {
		if !strings.Contains(strings.Join(fields, " "), objects.LabelDomain) || fields[0] == "dave" || fields[0] == "erin" {
			return true
		}
		names = append(names, fields[0])
		return false
	}, func() (lines []string) {
		for _, name := range names {
			if n := server.TableOf[objects.Namespace](r.controlPlane).Get("", name); n != nil {
				lines = append(lines, fmt.Sprint(n.Name, " ", n.Labels, " Active"))
			}
		}
		return lines
	})
}

// observeCopies compares the copies of all routes.
func (r *objectReplay) observeCopies(item transcriptItem) error {
	var want string
	if err := json.Unmarshal(item.Observed, &want); err != nil {
		return err
	}
	return r.sameLines(want, none, func() (lines []string) {
		for _, one := range server.TableOf[objects.DomainRoute](r.controlPlane).List("") {
			lines = append(lines, strings.Join(strings.Fields(strings.Join([]string{
				one.Namespace, one.Name, one.Spec.Source, one.Spec.Destination, one.Spec.Endpoint.Host, one.Spec.AuthenticationType,
			}, " ")), " "))
		}
		return lines
	})
}

// observeNoCopies: those of a deleted route are gone at once.
func (r *objectReplay) observeNoCopies(transcriptItem) error {
	defer r.controlPlane.Acquire()()
	for _, one := range server.TableOf[objects.DomainRoute](r.controlPlane).List("") {
		if one.Name == "rk-a-rk-b" {
			return fmt.Errorf("the copy in %s is left", one.Namespace)
		}
	}
	return nil
}
