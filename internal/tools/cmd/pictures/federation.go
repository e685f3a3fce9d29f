package main

// federation shows the order in which the objects of a federation are created.
func federation() *canvas {
	c := newCanvas("The order in which the objects of a federation are created",
		"At the master the domains are created first. Their deploy tokens start the nodes of the parties. Once the nodes have joined, the master creates the routes, then each node its configuration entries and data sources, then the master data, grants, app image and serving. A destroy runs in the reverse order.", 376)
	c.frame(area{20, 20, 760, 126}, "Master: the provider block")
	c.frame(area{20, 206, 760, 112}, "")
	c.label("start", point{546, 256}, "Node of each party: a provider", "block with an alias, for entries", "and data sources")

	domains := c.box(area{36, 50, 156, 80}, provider, "1 Domains", "wait until Kuscia", "has made a token")
	routes := c.box(area{222, 50, 156, 80}, provider, "3 Routes", "wait until both", "gateways run")
	data := c.box(area{418, 50, 156, 80}, provider, "5 Data, grants", "what is where, and", "who may use it")
	serving := c.box(area{586, 50, 188, 80}, good, "6 App image, serving", "the apply ends when", "every party runs")
	nodes := c.box(area{126, 238, 156, 64}, plain, "2 Nodes", "start with the token")
	sources := c.box(area{316, 238, 214, 64}, provider, "4 Entries, data sources", "keys, folders, buckets")

	c.arrow(domains.bottomAt(160), nodes.topAt(160))
	c.label("end", point{152, 180}, "deploy token")
	c.arrow(nodes.topAt(256), routes.bottomAt(256))
	c.label("end", point{248, 180}, "node joins")
	c.arrow(routes.bottomAt(346), sources.topAt(346))
	c.label("end", point{338, 180}, "joined")
	c.arrow(sources.topAt(450), data.bottomAt(450))
	c.label("start", point{458, 180}, "datasource_id")
	c.arrow(data.right(), serving.left())

	c.arrow(point{764, 354}, point{36, 354})
	c.label("middle", point{400, 346}, "a destroy runs in the reverse order, from 6 to 1")
	return c
}
