package review

import (
	"cmp"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/graph"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

func stateOf(action plan.Action) graph.State {
	switch action {
	case plan.Delete:
		return graph.Gone
	case plan.Replace:
		return graph.Replaced
	case plan.Update, plan.Forget:
		return graph.Changed
	case plan.Create:
		return graph.New
	}
	return graph.Same
}

// drawing makes the graph.
func (b *builder) drawing() *graph.Graph {
	g := graph.Empty()
	for _, o := range b.byKind["kuscia_domain"] {
		for _, s := range sides(o, "domain_id") {
			name := cmp.Or(s.At("domain_id").Name(), o.Address)
			g.Add(graph.NodeID{Shape: graph.Domain, Name: name}, name, s.state)
		}
	}
	for _, o := range b.byKind["kuscia_domain_route"] {
		for _, s := range sides(o, routeEndpoints...) {
			g.Connect(domainNode(g, s.At("source")), domainNode(g, s.At("destination")), graph.Edge{Relation: graph.Route, State: s.state})
		}
	}
	b.drawData(g)
	b.drawServings(g)
	g.Finish()
	return g
}

// side is an object before or after a change.
type side struct {
	plan.Value
	state graph.State
}

// sides are what is drawn of an object: what it was and what it becomes if these
// attributes change, else one.
func sides(o *plan.Object, ends ...string) []side {
	if o.Redirected(ends...) {
		return []side{{o.Before, graph.Gone}, {o.After, graph.New}}
	}
	return []side{{o.Latest(), stateOf(o.Action)}}
}

// domain is the node of a domain, which need not be managed in the plan.
func domainNode(g *graph.Graph, id plan.Value) graph.NodeID {
	return g.Node(graph.NodeID{Shape: graph.Domain, Name: id.Text()}, id.Text())
}

func (b *builder) drawData(g *graph.Graph) {
	for _, o := range b.byKind["kuscia_domain_data"] {
		for _, s := range sides(o, "domain_id", "domaindata_id") {
			owner, name := s.At("domain_id"), cmp.Or(s.At("domaindata_id").Name(), o.Address)
			id := graph.NodeID{Shape: graph.Data, Name: owner.Text() + "/" + name, Provider: o.Provider}
			g.Add(id, name, s.state)
			g.Connect(domainNode(g, owner), id, graph.Edge{Relation: graph.Owns, State: s.state})
		}
	}
	lost := map[string]bool{}
	for _, grant := range b.report.Grants {
		lost[grant.Address] = grant.Effect == "lost"
	}
	for _, o := range b.byKind["kuscia_domain_data_grant"] {
		for _, s := range sides(o, grantEndpoints...) {
			if lost[o.Address] {
				s.state = graph.Gone
			}
			drawGrant(g, s, o.Provider)
		}
	}
}

func drawGrant(g *graph.Graph, s side, provider string) {
	known := g.Size()
	name := s.At("domaindata_id").Text()
	data := g.Node(graph.NodeID{Shape: graph.Data, Name: s.At("domain_id").Text() + "/" + name, Provider: provider}, name)
	if g.Size() > known {
		g.Connect(domainNode(g, s.At("domain_id")), data, graph.Edge{Relation: graph.Owns, State: graph.Same})
	}
	e := graph.Edge{Relation: graph.Grants, State: s.state}
	if until := s.At("limit", "expiration_time").Text(); until != "" {
		e.Until, _, _ = strings.Cut(until, "T")
	}
	g.Connect(data, domainNode(g, s.At("grant_domain")), e)
}

func (b *builder) drawServings(g *graph.Graph) {
	for _, w := range b.workloads {
		id := graph.NodeID{Shape: graph.Serving, Name: w.Kind + "/" + w.name, Provider: w.Provider}
		g.Add(id, w.name, stateOf(w.Action))
		for _, p := range w.shown() {
			to := g.Node(graph.NodeID{Shape: graph.Domain, Name: p.Domain}, p.Domain)
			g.Connect(id, to, graph.Edge{Relation: graph.TakesPart, Image: edgeImage(p.Image), State: stateOf(p.Action)})
		}
	}
}

// edgeImage is the image of a party without its registry and folder.
func edgeImage(image plan.Pair) string {
	before, after := lastElement(image.Before), lastElement(image.After)
	if before == "" || after == "" || before == after {
		return cmp.Or(after, before)
	}
	name, _, _ := strings.Cut(before, ":")
	if tag, ok := strings.CutPrefix(after, name+":"); ok {
		return before + " → " + tag
	}
	return before + " → " + after
}

func lastElement(image string) string {
	return image[strings.LastIndexByte(image, '/')+1:]
}
