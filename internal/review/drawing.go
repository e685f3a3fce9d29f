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
		name := o.Name("domain_id")
		g.Add(graph.NodeID{Shape: graph.Domain, Name: name}, name, stateOf(o.Action))
	}
	for _, o := range b.byKind["kuscia_domain_route"] {
		v := o.Latest()
		g.Connect(domainNode(g, v.At("source")), domainNode(g, v.At("destination")), graph.Edge{Relation: graph.Route, State: stateOf(o.Action)})
	}
	b.drawData(g)
	b.drawServings(g)
	g.Finish()
	return g
}

// domain is the node of a domain, which need not be managed in the plan.
func domainNode(g *graph.Graph, id plan.Value) graph.NodeID {
	return g.Node(graph.NodeID{Shape: graph.Domain, Name: id.Text()}, id.Text())
}

func (b *builder) drawData(g *graph.Graph) {
	for _, o := range b.byKind["kuscia_domain_data"] {
		owner, name := o.Latest().At("domain_id"), o.Name("domaindata_id")
		id := graph.NodeID{Shape: graph.Data, Name: owner.Text() + "/" + name, Provider: o.Provider}
		g.Add(id, name, stateOf(o.Action))
		g.Connect(domainNode(g, owner), id, graph.Edge{Relation: graph.Owns, State: stateOf(o.Action)})
	}
	lost := map[string]bool{}
	for _, grant := range b.report.Grants {
		lost[grant.Address] = grant.Effect == "lost"
	}
	for _, o := range b.byKind["kuscia_domain_data_grant"] {
		state := stateOf(o.Action)
		if lost[o.Address] {
			state = graph.Gone
		}
		drawGrant(g, o, state)
	}
}

func drawGrant(g *graph.Graph, o *plan.Object, state graph.State) {
	v, known := o.Latest(), g.Size()
	name := v.At("domaindata_id").Text()
	data := g.Node(graph.NodeID{Shape: graph.Data, Name: v.At("domain_id").Text() + "/" + name, Provider: o.Provider}, name)
	if g.Size() > known {
		g.Connect(domainNode(g, v.At("domain_id")), data, graph.Edge{Relation: graph.Owns, State: graph.Same})
	}
	e := graph.Edge{Relation: graph.Grants, State: state}
	if until := v.At("limit", "expiration_time").Text(); until != "" {
		e.Until, _, _ = strings.Cut(until, "T")
	}
	g.Connect(data, domainNode(g, v.At("grant_domain")), e)
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
