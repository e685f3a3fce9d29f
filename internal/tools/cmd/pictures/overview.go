package main

// overviewTexts are the texts of the overview in one language.
type overviewTexts struct {
	title, description                    string
	configuration, cli, kuscia            []string
	apply, api, federation, starts, route string
	domains, parts, data                  [2]string
	pods, stays                           string
}

var english = overviewTexts{
	title:         "A federation, and where the provider stands",
	description:   "A configuration is planned and applied by Terraform or OpenTofu. The provider sends requests to the KusciaAPI of the federation. Kuscia starts the two parts of a serving: one in the domain of alice, one in that of bob. The parts exchange messages over a route. The data of each party stay in its domain.",
	configuration: []string{"Your configuration", "domains, routes, data,", "app images, servings"},
	cli:           []string{"Terraform or OpenTofu", "with the provider kuscia:", "plans, applies, waits"},
	apply:         "plan, apply",
	api:           "KusciaAPI",
	federation:    "Federation: organizations that compute together",
	kuscia:        []string{"Kuscia", "control plane: starts and watches the parts of a serving"},
	starts:        "pods",
	domains:       [2]string{"Domain alice", "Domain bob"},
	parts:         [2]string{"Serving: alice's part", "Serving: bob's part"},
	pods:          "replicas of an app image",
	data:          [2]string{"alice's data", "bob's data"},
	stays:         "stay in this domain",
	route:         "route",
}

var chinese = overviewTexts{
	title:         "联邦的组成，以及 provider 所在的位置",
	description:   "Terraform 或 OpenTofu 对配置执行 plan 和 apply，provider 向联邦的 KusciaAPI 发送请求。Kuscia 启动服务的两个部分：一部分在 alice 的节点上，另一部分在 bob 的节点上，两者通过路由通信。各方的数据留在自己的节点上。",
	configuration: []string{"你的配置", "节点、路由、数据、", "应用镜像、服务"},
	cli:           []string{"Terraform 或 OpenTofu", "使用 kuscia provider：", "计划、应用、等待"},
	apply:         "plan、apply",
	api:           "KusciaAPI",
	federation:    "联邦：共同计算的多个机构",
	kuscia:        []string{"Kuscia", "控制面：启动并监视服务的各个部分"},
	starts:        "Pod",
	domains:       [2]string{"节点 alice", "节点 bob"},
	parts:         [2]string{"服务中 alice 的部分", "服务中 bob 的部分"},
	pods:          "应用镜像的副本",
	data:          [2]string{"alice 的数据", "bob 的数据"},
	stays:         "留在本节点",
	route:         "路由",
}

// overview shows what a federation is and where the provider stands: on the left who
// asks for it, on the right what there is then.
func overview(texts overviewTexts) *canvas {
	c := newCanvas(texts.title, texts.description, 246)
	configuration := c.box(area{12, 26, 200, 62}, plain, texts.configuration[0], texts.configuration[1:]...)
	cli := c.box(area{12, 140, 200, 62}, provider, texts.cli[0], texts.cli[1:]...)
	c.arrow(configuration.bottomAt(configuration.middle()), cli.topAt(cli.middle()))
	c.label("start", point{configuration.middle() + 10, 118}, texts.apply)

	c.frame(area{276, 8, 512, 230}, texts.federation)
	kuscia := c.box(area{286, 36, 492, 40}, plain, texts.kuscia[0], texts.kuscia[1:]...)
	c.arrow(cli.right(), point{244, cli.right().y}, point{244, kuscia.left().y}, kuscia.left())
	c.label("middle", point{244, kuscia.left().y - 8}, texts.api)

	var parts [2]area
	for i, x := range []int{286, 556} {
		domain := c.frame(area{x, 98, 222, 132}, texts.domains[i])
		parts[i] = c.box(area{x + 10, 124, 202, 40}, good, texts.parts[i], texts.pods)
		data := c.box(area{x + 10, 182, 202, 40}, plain, texts.data[i], texts.stays)
		c.arrow(kuscia.bottomAt(domain.middle()), parts[i].topAt(domain.middle()))
		c.label("start", point{domain.middle() + 10, 92}, texts.starts)
		c.arrow(data.topAt(data.middle()), parts[i].bottomAt(data.middle()))
	}
	c.both(parts[0].right(), parts[1].left())
	c.label("middle", point{532, 138}, texts.route)
	return c
}
