package review

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// state is what happens to a node or an edge, from the worst.
type state int

const (
	isGone state = iota
	isReplaced
	isChanged
	isNew
	isSame
)

func stateOf(action Action) state {
	switch action {
	case Delete:
		return isGone
	case Replace:
		return isReplaced
	case Update, Forget:
		return isChanged
	case Create:
		return isNew
	}
	return isSame
}

// shape is the kind of a node.
type shape int

const (
	domainShape shape = iota
	dataShape
	servingShape
)

// limits are the numbers of nodes of each kind that are drawn, and maxEdges that
// of edges: a larger graph is not readable, and Mermaid refuses one of 500 edges.
var limits = map[shape]int{domainShape: 12, dataShape: 8, servingShape: 8}

const maxEdges = 60

type nodeID struct {
	shape shape
	name  string // a data's has its owner before it
	// provider is the provider configuration of data and servings: two Kuscias may have the
	// same names.
	provider string
}

type node struct {
	label string
	state state
	order int // in the plan
	// alike is the number of further servings for which the node stands.
	alike int
	image string // of a serving whose parties all have the same
}

// relation is the kind of an edge.
type relation int

const (
	route relation = iota
	owns
	grants
	takesPart
)

type edge struct {
	from, to nodeID
	relation relation
	label    string
	until    string // the day at which a grant ends
	state    state
	both     bool // a route in each direction
}

// graph is the part of a federation that a plan touches, with its neighbours.
type graph struct {
	nodes map[nodeID]node
	edges []edge
	added int
	// alike are the nodes with the same name, of several provider configurations.
	alike map[nodeID][]nodeID
	// left are the nodes that are left out, and leftEdges the edges between the
	// others.
	left      map[shape]int
	leftEdges int
}

// drawing makes the graph.
func (b *builder) drawing() graph {
	g := graph{nodes: map[nodeID]node{}, alike: map[nodeID][]nodeID{}, left: map[shape]int{}}
	for _, o := range b.byKind["kuscia_domain"] {
		for _, s := range o.sides("domain_id") {
			name := cmp.Or(s.at("domain_id").name(), o.address)
			g.add(nodeID{shape: domainShape, name: name}, name, s.state)
		}
	}
	for _, o := range b.byKind["kuscia_domain_route"] {
		for _, s := range o.sides(routeEndpoints...) {
			g.connect(g.domain(s.at("source")), g.domain(s.at("destination")), edge{relation: route, label: "route", state: s.state})
		}
	}
	b.drawData(&g)
	b.drawServings(&g)
	g.tellApart()
	g.keepTouched()
	g.group()
	g.bound()
	g.joinRoutes()
	g.liftImages()
	return g
}

// side is an object before or after a change.
type side struct {
	value
	state state
}

// sides are what is drawn of an object: what it was and what it becomes if these
// attributes change, else one.
func (o object) sides(ends ...string) []side {
	if o.redirected(ends...) {
		return []side{{o.before, isGone}, {o.after, isNew}}
	}
	return []side{{o.latest(), stateOf(o.action)}}
}

// domain is the node of a domain, which need not be managed in the plan.
func (g *graph) domain(id value) nodeID {
	return g.node(nodeID{shape: domainShape, name: id.text()}, id.text())
}

// node is the node that exists, or a new one. One of a provider configuration that is not known
// may be any of its name.
func (g *graph) node(id nodeID, label string) nodeID {
	if _, ok := g.nodes[id]; ok {
		return id
	}
	for _, other := range g.alike[nodeID{shape: id.shape, name: id.name}] {
		if sameProvider(id.provider, other.provider) == maybe {
			return other
		}
	}
	g.add(id, label, isSame)
	return id
}

// add adds a node. Of two with the same name the worse counts.
func (g *graph) add(id nodeID, label string, state state) {
	if known, ok := g.nodes[id]; ok {
		known.state = min(known.state, state)
		g.nodes[id] = known
		return
	}
	g.added++
	g.nodes[id] = node{label: label, state: state, order: g.added}
	name := nodeID{shape: id.shape, name: id.name}
	g.alike[name] = append(g.alike[name], id)
}

// tellApart adds the provider configuration to the labels of nodes with the same name.
func (g *graph) tellApart() {
	for _, ids := range g.alike {
		for _, id := range ids {
			if n := g.nodes[id]; len(ids) > 1 && id.provider != "" {
				n.label += " (" + id.provider + ")"
				g.nodes[id] = n
			}
		}
	}
}

func (g *graph) connect(from, to nodeID, e edge) {
	e.from, e.to = from, to
	g.edges = append(g.edges, e)
}

func (b *builder) drawData(g *graph) {
	for _, o := range b.byKind["kuscia_domain_data"] {
		for _, s := range o.sides("domain_id", "domaindata_id") {
			owner, name := s.at("domain_id"), cmp.Or(s.at("domaindata_id").name(), o.address)
			id := nodeID{shape: dataShape, name: owner.text() + "/" + name, provider: o.provider}
			g.add(id, name, s.state)
			g.connect(g.domain(owner), id, edge{relation: owns, state: s.state})
		}
	}
	lost := map[string]bool{}
	for _, grant := range b.report.Grants {
		lost[grant.Address] = grant.Effect == "lost"
	}
	for _, o := range b.byKind["kuscia_domain_data_grant"] {
		for _, s := range o.sides(grantEndpoints...) {
			if lost[o.address] {
				s.state = isGone
			}
			g.drawGrant(s, o.provider)
		}
	}
}

func (g *graph) drawGrant(s side, provider string) {
	known := len(g.nodes)
	name := s.at("domaindata_id").text()
	data := g.node(nodeID{shape: dataShape, name: s.at("domain_id").text() + "/" + name, provider: provider}, name)
	if len(g.nodes) > known {
		g.connect(g.domain(s.at("domain_id")), data, edge{relation: owns, state: isSame})
	}
	e := edge{relation: grants, label: "may use", state: s.state}
	if until := s.at("limit", "expiration_time").text(); until != "" {
		e.until, _, _ = strings.Cut(until, "T")
	}
	g.connect(data, g.domain(s.at("grant_domain")), e)
}

func (b *builder) drawServings(g *graph) {
	for _, w := range b.workloads {
		id := nodeID{shape: servingShape, name: w.kind + "/" + w.name, provider: w.provider}
		g.add(id, w.name, stateOf(w.action))
		for _, p := range w.shown() {
			to := g.node(nodeID{shape: domainShape, name: p.Domain}, p.Domain)
			g.connect(id, to, edge{relation: takesPart, label: edgeImage(p.Image), state: stateOf(p.Action)})
		}
	}
}

// edgeImage is the image of a party without its registry and folder.
func edgeImage(image Pair) string {
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

// keepTouched leaves what changes, its neighbours, and the routes between these.
func (g *graph) keepTouched() {
	kept := map[nodeID]bool{}
	for id, n := range g.nodes {
		kept[id] = n.state != isSame
	}
	changed := maps.Clone(kept)
	touches := func(e edge) bool { return e.state != isSame || changed[e.from] || changed[e.to] }
	for _, e := range g.edges {
		if touches(e) {
			kept[e.from], kept[e.to] = true, true
		}
	}
	for _, e := range g.edges {
		if e.relation == owns && kept[e.to] {
			kept[e.from] = true
		}
	}
	g.edges = slices.DeleteFunc(g.edges, func(e edge) bool {
		return !touches(e) && (!kept[e.from] || !kept[e.to])
	})
	maps.DeleteFunc(g.nodes, func(id nodeID, _ node) bool { return !kept[id] })
}

// maxAlike is the number of servings with the same parties and images up to
// which each has its node.
const maxAlike = 3

// group lets one node stand for many servings to which the same happens.
func (g *graph) group() {
	signatures := map[nodeID]string{}
	for _, e := range g.edges {
		if e.relation == takesPart {
			signatures[e.from] += fmt.Sprintf("%q %q %d ", e.to.name, e.label, e.state)
		}
	}
	groups := map[string][]nodeID{}
	for _, id := range g.sorted(func(nodeID, nodeID) int { return 0 }) {
		if id.shape == servingShape {
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
func (g *graph) dropEdges() {
	g.edges = slices.DeleteFunc(g.edges, func(e edge) bool {
		_, from := g.nodes[e.from]
		_, to := g.nodes[e.to]
		return !from || !to
	})
}

// bound leaves out what is too much, the least important first.
func (g *graph) bound() {
	degree := map[nodeID]int{}
	for _, e := range g.edges {
		degree[e.from]++
		degree[e.to]++
	}
	ids := g.sorted(func(x, y nodeID) int {
		first, second := g.nodes[x].state, g.nodes[y].state
		if x.shape != domainShape {
			return cmp.Compare(first, second)
		}
		// Of new and unchanged domains the one with the most edges says the most.
		return cmp.Or(cmp.Compare(min(first, isNew), min(second, isNew)), cmp.Compare(degree[y], degree[x]))
	})
	drawn := map[shape]int{}
	for _, id := range ids {
		if drawn[id.shape] >= limits[id.shape] {
			g.left[id.shape] += 1 + g.nodes[id].alike
			delete(g.nodes, id)
			continue
		}
		drawn[id.shape]++
	}
	g.dropEdges()
	if len(g.edges) > maxEdges {
		slices.SortStableFunc(g.edges, func(x, y edge) int { return cmp.Compare(x.state, y.state) })
		g.leftEdges = len(g.edges) - maxEdges
		g.edges = g.edges[:maxEdges]
	}
}

// joinRoutes lets one line stand for the routes in both directions to which the
// same happens.
func (g *graph) joinRoutes() {
	var joined []edge
	for _, e := range g.edges {
		back := slices.IndexFunc(joined, func(other edge) bool {
			return e.relation == route && other.relation == route && !other.both && other.from == e.to && other.to == e.from && other.state == e.state && e.from != e.to
		})
		if back < 0 {
			joined = append(joined, e)
			continue
		}
		joined[back].both, joined[back].label = true, "routes"
	}
	g.edges = joined
}

// liftImages writes the image of a serving into its node if its parties all have
// the same.
func (g *graph) liftImages() {
	images := map[nodeID][]string{}
	for _, e := range g.edges {
		if e.relation == takesPart {
			images[e.from] = append(images[e.from], e.label)
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
		if _, ok := images[e.from]; ok && e.relation == takesPart {
			g.edges[i].label = ""
		}
	}
}

// sorted are the nodes by kind, by an order, and as in the plan.
func (g *graph) sorted(order func(x, y nodeID) int) []nodeID {
	return slices.SortedFunc(maps.Keys(g.nodes), func(x, y nodeID) int {
		return cmp.Or(cmp.Compare(x.shape, y.shape), order(x, y), cmp.Compare(g.nodes[x].order, g.nodes[y].order))
	})
}

// leftOut says what is not drawn.
func (g *graph) leftOut() phrase {
	var more []phrase
	for _, kind := range []struct {
		shape     shape
		one, many words
	}{{domainShape, "more domain", "more domains"}, {dataShape, "more table or model", "more tables and models"}, {servingShape, "more serving", "more servings"}} {
		if n := g.left[kind.shape]; n > 0 {
			more = append(more, count(n, kind.one, kind.many))
		}
	}
	if g.leftEdges > 0 {
		more = append(more, count(g.leftEdges, "more connection", "more connections"))
	}
	return and(more...)
}
