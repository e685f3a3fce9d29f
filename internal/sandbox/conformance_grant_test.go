package sandbox

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

var _ = addReplay(map[string]func(*objectReplay){
	// The copies were already up to date.
	"grant-1[103]":    func(r *objectReplay) { r.servers[portMaster].Advance(time.Second) },
	"grant-2-slow[7]": func(r *objectReplay) { r.servers[portMaster].Advance(time.Second) },
	"grant-1[117]":    func(r *objectReplay) { r.expires("1795223686151602688", 4*time.Second) },
	"grant-2-slow[2]": func(r *objectReplay) { r.expires("1795223764398366464", 5*time.Second) },
}, map[string]func(*objectReplay, transcriptItem) error{
	"grant-2-slow[15]": (*objectReplay).observeResync,
})

// observeResync checks that phases stay the same until all of them are
// corrected at the same moment.
func (r *objectReplay) observeResync(item transcriptItem) error {
	var recorded [][3]any
	if err := json.Unmarshal(item.Observed, &recorded); err != nil {
		return err
	}
	keys := map[string]cluster.Key{
		"A": {Namespace: nodeOfRecordings, Name: "rk-lga"}, "B": {Namespace: nodeOfRecordings, Name: "rk-lgb"}, "C copy": {Namespace: "rk-b", Name: "rk-lgc"},
		"D": {Namespace: nodeOfRecordings, Name: "rk-lgd"}, "E": {Namespace: nodeOfRecordings, Name: "rk-lge"},
	}
	early, late := map[string]string{}, map[string]string{}
	for _, change := range recorded {
		name := fmt.Sprint(change[1])
		if at, ok := change[0].(float64); ok && at < 1 {
			early[name] = fmt.Sprint(change[2])
			late[name] = fmt.Sprint(change[2])
		} else {
			late[name] = fmt.Sprint(change[2])
		}
	}
	phases := func() map[string]string {
		defer r.controlPlane.Acquire()()
		found := map[string]string{}
		for name, key := range keys {
			found[name] = "11705"
			if grant := server.TableOf[objects.DomainDataGrant](r.controlPlane).Get(key.Namespace, key.Name); grant != nil {
				found[name] = grant.Status.Phase + "/" + grant.Status.Message
			}
		}
		return found
	}
	r.servers[portMaster].Advance(10 * time.Second)
	changed := 0
	before := phases()
	if fmt.Sprint(before) != fmt.Sprint(early) {
		return fmt.Errorf("phases %v, recorded %v", before, early)
	}
	for range 610 {
		r.servers[portMaster].Advance(time.Second)
		if now := phases(); fmt.Sprint(now) != fmt.Sprint(before) {
			changed++
			before = now
		}
	}
	if changed != 1 || fmt.Sprint(before) != fmt.Sprint(late) {
		return fmt.Errorf("%d changes to %v, recorded one to %v", changed, before, late)
	}
	return nil
}
