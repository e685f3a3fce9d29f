package main

// edgeNode shows how a lite node on an edge machine joins a federation.
func edgeNode() *canvas {
	c := newCanvas("How a lite node on an edge machine joins a federation",
		"Terraform creates the domain at the Kuscia master, reads its deploy token, and passes it to Huawei Cloud IEF in a deployment. IEF starts Kuscia's container on the edge machine. The lite node joins its domain at the master with the token. Then Terraform creates the routes between the edge node and its partner; the one back uses a tunnel that the edge node opens.", 424)
	master := c.box(area{20, 30, 180, 70}, plain, "Kuscia master", "KusciaAPI")
	cli := c.box(area{310, 30, 180, 70}, provider, "Terraform, OpenTofu", "with the provider kuscia")
	ief := c.box(area{600, 30, 180, 70}, plain, "Huawei Cloud IEF", "kuscia_edge_deployment")
	c.arrow(point{310, 48}, point{200, 48})
	c.label("middle", point{255, 40}, "1 domain")
	c.arrow(point{200, 82}, point{310, 82})
	c.label("middle", point{255, 98}, "2 deploy token")
	c.arrow(cli.right(), ief.left())
	c.label("middle", point{545, 57}, "3 deployment")

	c.frame(area{570, 170, 210, 120}, "Edge machine")
	lite := c.box(area{590, 204, 170, 66}, good, "Kuscia lite node", "keeps its key here")
	c.arrow(ief.bottomAt(ief.middle()), lite.topAt(ief.middle()))
	c.label("end", point{682, 140}, "starts the container")
	c.arrow(lite.left(), point{110, 237}, master.bottomAt(110))
	c.label("middle", point{345, 229}, "4 joins its domain with the token")

	c.box(area{20, 338, 180, 66}, plain, "Node of the partner", "reached by its gateway")
	c.arrow(lite.bottomAt(650), point{650, 358}, point{200, 358})
	c.label("middle", point{425, 350}, "5 route to the partner")
	c.arrow(point{200, 386}, point{700, 386}, lite.bottomAt(700))
	c.label("middle", point{425, 403}, "5 route back, in a tunnel that the edge node opens")
	return c
}
