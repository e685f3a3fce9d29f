package rolloutstatus

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// takeOverDelay is how long the Deployment of another KusciaDeployment of the same
// name must run as expected before it counts as that of the party. If Kuscia was
// not running while the earlier KusciaDeployment was deleted, it takes over what
// remained, by name alone: the label with the old uid stays.
const takeOverDelay = time.Minute

// takeOver evaluates the Deployment of another KusciaDeployment by its spec and
// status, once it has run as expected for takeOverDelay.
func (r *Reader) takeOver(p *Party, d *kube.Deployment) {
	if !p.OtherOwner() {
		return
	}
	desired := p.Desired
	desired.UID = ""
	status := party.CheckDeployment(desired, d)
	since, known := r.otherOwner[p.Key]
	switch {
	case !status.Runs():
		delete(r.otherOwner, p.Key)
	case !known:
		if r.otherOwner == nil {
			r.otherOwner = map[party.Key]time.Time{}
		}
		r.otherOwner[p.Key] = time.Now()
	case time.Since(since) >= takeOverDelay:
		p.DeploymentStatus = status
	}
}
