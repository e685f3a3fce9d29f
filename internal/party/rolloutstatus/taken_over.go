package rolloutstatus

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// takenOver is for how long the Deployment of another KusciaDeployment of the name
// has to run as expected to count as that of the party. Kuscia takes over what was left
// when it was not running while the one before was deleted, and goes by the name
// alone: the label with the uid stays.
const takenOver = time.Minute

// takeOver judges a Deployment of another KusciaDeployment by what it is, once it has
// run as expected for long enough.
func (w *Reader) takeOver(p *Party, d *kube.Deployment) {
	if !p.Foreign {
		return
	}
	expected := p.Expected
	expected.UID = ""
	verdict := party.CheckDeployment(expected, d)
	since, known := w.foreign[p.Key]
	switch {
	case !verdict.Done:
		delete(w.foreign, p.Key)
	case !known:
		if w.foreign == nil {
			w.foreign = map[party.Key]time.Time{}
		}
		w.foreign[p.Key] = time.Now()
	case time.Since(since) >= takenOver:
		p.DeploymentStatus = verdict
	}
}
