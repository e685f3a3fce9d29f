package sandbox

// The nodes of domains were started and stopped outside of the API.
var _ = addReplay(map[string]func(*objectReplay){
	"domain-2[141]": func(r *objectReplay) { must(r.t, r.servers[portMaster].RegisterNode("rk-d1", "rk-node", true)) },
	"domain-2[144]": func(r *objectReplay) { must(r.t, r.servers[portMaster].RegisterNode("rk-d1", "rk-node", false)) },
}, nil)
