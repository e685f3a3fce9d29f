// Package graph draws the part of a federation that a plan touches, with its neighbours, in
// Mermaid's language.
package graph

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// State is what happens to a node or an edge, from the worst.
type State int

// The states.
const (
	Gone State = iota
	Replaced
	Changed
	New
	Same
)

// Shape is the kind of a node.
type Shape int

// The shapes.
const (
	Domain Shape = iota
	Data
	Serving
)

// limits are the numbers of nodes of each kind that are drawn, and maxEdges that
// of edges: a larger graph is not readable, and Mermaid refuses one of 500 edges.
var limits = map[Shape]int{Domain: 12, Data: 8, Serving: 8}

const maxEdges = 60

// NodeID identifies a node.
type NodeID struct {
	Shape Shape
	Name  string // a data's has its owner before it
	// provider is the provider configuration of data and servings: two Kuscias may have the
	// same names.
	Provider string
}

type node struct {
	label string
	state State
	order int // in the plan
	// alike is the number of further servings for which the node stands.
	alike int
	image string // of a serving whose parties all have the same
}

// Relation is the kind of an edge.
type Relation int

// The relations.
const (
	Route Relation = iota
	Owns
	Grants
	TakesPart
)

// Edge is a line between two nodes.
type Edge struct {
	from, to NodeID
	Relation Relation
	Image    string // of the party at the edge of a serving
	Until    string // the day at which a grant ends
	State    State
	both     bool // a route in each direction
}

// Graph is the part of a federation that a plan touches, with its neighbours.
type Graph struct {
	nodes map[NodeID]node
	edges []Edge
	added int
	// alike are the nodes with the same name, of several provider configurations.
	alike map[NodeID][]NodeID
	// left are the nodes that are left out, and leftEdges the edges between the
	// others.
	left      map[Shape]int
	leftEdges int
}

// Empty is an empty graph.
func Empty() *Graph {
	return &Graph{nodes: map[NodeID]node{}, alike: map[NodeID][]NodeID{}, left: map[Shape]int{}}
}

// Size is the number of nodes.
func (g *Graph) Size() int { return len(g.nodes) }

// Finish leaves what is to be drawn.
func (g *Graph) Finish() {
	g.tellApart()
	g.keepTouched()
	g.group()
	g.bound()
	g.joinRoutes()
	g.liftImages()
}

// Node is the node that exists, or a new one. One of a provider configuration that is not known
// may be any of its name.
func (g *Graph) Node(id NodeID, label string) NodeID {
	if _, ok := g.nodes[id]; ok {
		return id
	}
	for _, other := range g.alike[NodeID{Shape: id.Shape, Name: id.Name}] {
		if id.Provider == "" || other.Provider == "" {
			return other
		}
	}
	g.Add(id, label, Same)
	return id
}

// Add adds a node. Of two with the same name the worse counts.
func (g *Graph) Add(id NodeID, label string, state State) {
	if known, ok := g.nodes[id]; ok {
		known.state = min(known.state, state)
		g.nodes[id] = known
		return
	}
	g.added++
	g.nodes[id] = node{label: label, state: state, order: g.added}
	name := NodeID{Shape: id.Shape, Name: id.Name}
	g.alike[name] = append(g.alike[name], id)
}

// tellApart adds the provider configuration to the labels of nodes with the same name.
func (g *Graph) tellApart() {
	for _, ids := range g.alike {
		for _, id := range ids {
			if n := g.nodes[id]; len(ids) > 1 && id.Provider != "" {
				n.label += " (" + id.Provider + ")"
				g.nodes[id] = n
			}
		}
	}
}

// Connect adds an edge.
func (g *Graph) Connect(from, to NodeID, e Edge) {
	e.from, e.to = from, to
	g.edges = append(g.edges, e)
}

// keepTouched leaves what changes, its neighbours, and the routes between these.
func (g *Graph) keepTouched() {
	kept := map[NodeID]bool{}
	for id, n := range g.nodes {
		kept[id] = n.state != Same
	}
	changed := maps.Clone(kept)
	touches := func(e Edge) bool { return e.State != Same || changed[e.from] || changed[e.to] }
	for _, e := range g.edges {
		if touches(e) {
			kept[e.from], kept[e.to] = true, true
		}
	}
	for _, e := range g.edges {
		if e.Relation == Owns && kept[e.to] {
			kept[e.from] = true
		}
	}
	g.edges = slices.DeleteFunc(g.edges, func(e Edge) bool {
		return !touches(e) && (!kept[e.from] || !kept[e.to])
	})
	maps.DeleteFunc(g.nodes, func(id NodeID, _ node) bool { return !kept[id] })
}

// maxAlike is the number of servings with the same parties and images up to
// which each has its node.
const maxAlike = 3

// group lets one node stand for many servings to which the same happens.
func (g *Graph) group() {
	signatures := map[NodeID][]string{}
	for _, e := range g.edges {
		if e.Relation == TakesPart {
			signatures[e.from] = append(signatures[e.from], fmt.Sprintf("%q %q %d", e.to.Name, e.Image, e.State))
		}
	}
	groups := map[string][]NodeID{}
	for _, id := range g.sorted(func(NodeID, NodeID) int { return 0 }) {
		if id.Shape == Serving {
			signature := fmt.Sprint(g.nodes[id].state, signatures[id])
			groups[signature] = append(groups[signature], id)
		}
	}
	for _, ids := range groups {
		if len(ids) <= maxAlike {
			continue
		}
		first := g.nodes[ids[0]]
		first.alike = len(ids) - 1
		g.nodes[ids[0]] = first
		for _, id := range ids[1:] {
			delete(g.nodes, id)
		}
	}
	g.dropEdges()
}

// dropEdges removes edges whose nodes were removed.
func (g *Graph) dropEdges() {
	g.edges = slices.DeleteFunc(g.edges, func(e Edge) bool {
		_, from := g.nodes[e.from]
		_, to := g.nodes[e.to]
		return !from || !to
	})
}

// bound leaves out what is too much, the least important first.
func (g *Graph) bound() {
	degree := map[NodeID]int{}
	for _, e := range g.edges {
		degree[e.from]++
		degree[e.to]++
	}
	ids := g.sorted(func(x, y NodeID) int {
		first, second := g.nodes[x].state, g.nodes[y].state
		if x.Shape != Domain {
			return cmp.Compare(first, second)
		}
		// Of new and unchanged domains the one with the most edges says the most.
		return cmp.Or(cmp.Compare(min(first, New), min(second, New)), cmp.Compare(degree[y], degree[x]))
	})
	drawn := map[Shape]int{}
	for _, id := range ids {
		if drawn[id.Shape] >= limits[id.Shape] {
			g.left[id.Shape] += 1 + g.nodes[id].alike
			delete(g.nodes, id)
			continue
		}
		drawn[id.Shape]++
	}
	g.dropEdges()
	if len(g.edges) > maxEdges {
		slices.SortStableFunc(g.edges, func(x, y Edge) int { return cmp.Compare(x.State, y.State) })
		g.leftEdges = len(g.edges) - maxEdges
		g.edges = g.edges[:maxEdges]
	}
}

// joinRoutes lets one line stand for the routes in both directions to which the
// same happens.
func (g *Graph) joinRoutes() {
	var joined []Edge
	for _, e := range g.edges {
		back := slices.IndexFunc(joined, func(other Edge) bool {
			return e.Relation == Route && other.Relation == Route && !other.both && other.from == e.to && other.to == e.from && other.State == e.State && e.from != e.to
		})
		if back < 0 {
			joined = append(joined, e)
			continue
		}
		joined[back].both = true
	}
	g.edges = joined
}

// liftImages writes the image of a serving into its node if its parties all have
// the same.
func (g *Graph) liftImages() {
	images := map[NodeID][]string{}
	for _, e := range g.edges {
		if e.Relation == TakesPart {
			images[e.from] = append(images[e.from], e.Image)
		}
	}
	for id, all := range images {
		if len(slices.Compact(all)) > 1 {
			delete(images, id)
			continue
		}
		n := g.nodes[id]
		n.image = all[0]
		g.nodes[id] = n
	}
	for i, e := range g.edges {
		if _, ok := images[e.from]; ok && e.Relation == TakesPart {
			g.edges[i].Image = ""
		}
	}
}

// sorted are the nodes by kind, by an order, and as in the plan.
func (g *Graph) sorted(order func(x, y NodeID) int) []NodeID {
	return slices.SortedFunc(maps.Keys(g.nodes), func(x, y NodeID) int {
		return cmp.Or(cmp.Compare(x.Shape, y.Shape), order(x, y), cmp.Compare(g.nodes[x].order, g.nodes[y].order))
	})
}

// LeftOut says what is not drawn.
func (g *Graph) LeftOut() phrase.Phrase {
	var more []phrase.Phrase
	for _, kind := range []struct {
		shape     Shape
		one, many phrase.Words
	}{{Domain, "{} more domain", "{} more domains"}, {Data, "{} more table or model", "{} more tables and models"}, {Serving, "{} more serving", "{} more servings"}} {
		if n := g.left[kind.shape]; n > 0 {
			more = append(more, phrase.Count(n, kind.one, kind.many))
		}
	}
	if g.leftEdges > 0 {
		more = append(more, phrase.Count(g.leftEdges, "{} more connection", "{} more connections"))
	}
	return phrase.And(more...)
}

// Around is the part of the graph that a domain is in: its routes, its parts of servings, and the data
// that it owns or may use, with all who may use its data.
func (g *Graph) Around(domain string) *Graph {
	id := NodeID{Shape: Domain, Name: domain}
	isData := func(n NodeID) bool { return n.Shape == Data }
	data := map[NodeID]bool{}
	for _, e := range g.edges {
		if isData(e.from) && e.to == id {
			data[e.from] = true
		}
		if isData(e.to) && e.from == id {
			data[e.to] = true
		}
	}
	near := Empty()
	for _, e := range g.edges {
		if e.from != id && e.to != id && !data[e.from] && !data[e.to] {
			continue
		}
		// Of data that it may use, a domain sees the owner, and no other reader.
		if e.Relation == Grants && e.to != id && !g.owns(id, e.from) {
			continue
		}
		near.edges = append(near.edges, e)
		for _, end := range []NodeID{e.from, e.to} {
			near.nodes[end] = g.nodes[end]
		}
	}
	if n, ok := g.nodes[id]; ok {
		near.nodes[id] = n
	}
	return near
}

// owns reports whether data is that of a domain.
func (g *Graph) owns(domain, data NodeID) bool {
	return slices.ContainsFunc(g.edges, func(e Edge) bool { return e.Relation == Owns && e.from == domain && e.to == data })
}
