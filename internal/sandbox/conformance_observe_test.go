package sandbox

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	klabels "k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// observers check observations outside of the API, by the note of the item.
var observers = []struct {
	note  *regexp.Regexp
	check func(r *replay, item transcriptItem) error
}{
	{regexp.MustCompile(`^state( over time.*|s)?$`), (*replay).observeStates},
	{regexp.MustCompile(`^after (create|config|replicas|resources|strategy)`), (*replay).observeParties},
	{regexp.MustCompile(`(?i)kusciadeployment\.status|^kd status`), (*replay).observeStoredStatus},
	{regexp.MustCompile(`KusciaDeployment generation`), (*replay).observeGeneration},
	{regexp.MustCompile(`-> generation$`), (*replay).observeImageChange},
	{regexp.MustCompile(`k8s deployment strategy$`), (*replay).observeStrategy},
	{regexp.MustCompile(`image$|^deployment image`), (*replay).observeDeployedImage},
	{regexp.MustCompile(`k8s deployment replicas$`), (*replay).observeReplicas},
	{regexp.MustCompile(`^stored spec.parties\[0\]`), (*replay).observeNoContainers},
	{regexp.MustCompile(`^order of party_statuses`), (*replay).observeOrder},
	{regexp.MustCompile(`^30 x update then query`), (*replay).observeOwnWrites},
	{regexp.MustCompile(`^delete then create loop`), (*replay).observeRecreation},
	{regexp.MustCompile(`^re-create retries`), (*replay).observeRetries},
	{regexp.MustCompile(`over 420 s`), (*replay).observeSlowFailures},
	{regexp.MustCompile(`over 390 s`), (*replay).observeNoHealing},
	{regexp.MustCompile(`^list default`), (*replay).observeDefaultPage},
	{regexp.MustCompile(`^(server|ca) certificate$`), (*replay).observeCertificate},
	{regexp.MustCompile(`^token$`), (*replay).observeToken},
	{regexp.MustCompile(`^namespace after delete`), (*replay).observeNamespace},
	{regexp.MustCompile(`^stored object spec$`), (*replay).observeStoredImage},
	{regexp.MustCompile(`^KusciaDeployment spec stored`), (*replay).observeStoredServing},
	{regexp.MustCompile(`^(kubectl: )?objects$`), (*replay).observeObjects},
	{regexp.MustCompile(`^alice deployment env`), (*replay).observeContainer},
	{regexp.MustCompile(`^input config reaching the pods`), (*replay).observeVariables},
}

func (r *replay) observe(item transcriptItem) error {
	for _, observer := range observers {
		if observer.note.MatchString(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(item.Note), "->"))) ||
			observer.note.MatchString(item.Note) {
			return r.eventually(func() error { return observer.check(r, item) })
		}
	}
	return fmt.Errorf("nothing checks this observation")
}

// eventually waits until a check succeeds; the time since the previous exchange
// was not recorded.
func (r *replay) eventually(check func() error) error {
	if r.on != nil {
		return settles(check)
	}
	err := check()
	for waited := time.Duration(0); err != nil && waited < statusWindow; waited += statusStep {
		r.advance(statusStep)
		err = check()
	}
	return err
}

// about is the serving id of the item: from its note, or from the last request.
func (r *replay) about(item transcriptItem) string {
	for _, known := range r.master.ServingIDs() {
		if strings.HasSuffix(item.Note, " "+known) {
			return known
		}
	}
	return r.lastID
}

func (r *replay) observeStoredStatus(item transcriptItem) error {
	var want struct {
		AvailableParties int    `json:"availableParties"`
		TotalParties     int    `json:"totalParties"`
		Phase            string `json:"phase"`
		Reason           string `json:"reason"`
		Message          string `json:"message"`
	}
	if err := json.Unmarshal(item.Observed, &want); err != nil {
		return err
	}
	kd, err := r.master.KusciaDeployment(r.about(item))
	if err != nil {
		return err
	}
	stored, have := kd.Status, want
	// The port in the text is random: it comes from a map.
	want.Message = portName.ReplaceAllString(want.Message, "-PORT")
	have.AvailableParties, have.TotalParties = stored.AvailableParties, stored.TotalParties
	have.Phase, have.Reason = stored.Phase, stored.Reason
	have.Message = portName.ReplaceAllString(stored.Message, "-PORT")
	if have != want {
		return fmt.Errorf("status %+v, recorded %+v", have, want)
	}
	return nil
}

func (r *replay) observeGeneration(item transcriptItem) error {
	var want [2]int64
	if err := json.Unmarshal(item.Observed, &want); err != nil {
		return err
	}
	kd, err := r.master.KusciaDeployment(r.lastID)
	if err != nil {
		return err
	}
	if have := [2]int64{r.generations[r.lastID], kd.Generation}; have != want {
		return fmt.Errorf("generations %v, recorded %v", have, want)
	}
	return nil
}

func (r *replay) observeImageChange(item transcriptItem) error {
	var generations [2]string
	if err := json.Unmarshal(item.Observed, &generations); err != nil {
		return err
	}
	after, err := r.master.AppImage("ai-full")
	if err != nil {
		return err
	}
	changed := !reflect.DeepEqual(r.before["ai-full"], after)
	if changed != (generations[0] != generations[1]) {
		return fmt.Errorf("changed: %t, recorded generations %v", changed, generations)
	}
	return nil
}

// deployment is the Deployment of alice for the serving of the last request.
func (r *replay) deployment() (objects.Deployment, error) {
	return r.master.Deployment(r.lastID, "alice", "")
}

func (r *replay) observeStrategy(item transcriptItem) error {
	var text string
	var want struct {
		Type          string `json:"type"`
		RollingUpdate struct {
			MaxSurge       any `json:"maxSurge"`
			MaxUnavailable any `json:"maxUnavailable"`
		} `json:"rollingUpdate"`
	}
	if err := json.Unmarshal(item.Observed, &text); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		return err
	}
	d, err := r.deployment()
	if err != nil {
		return err
	}
	limit := func(value any) *intstr.IntOrString {
		if value == nil {
			return nil
		}
		return new(intstr.Parse(fmt.Sprint(value)))
	}
	wanted := objects.Strategy{Type: want.Type}
	if rolling := want.RollingUpdate; rolling.MaxSurge != nil || rolling.MaxUnavailable != nil {
		wanted.RollingUpdate = &objects.Bounds{MaxSurge: limit(rolling.MaxSurge), MaxUnavailable: limit(rolling.MaxUnavailable)}
	}
	if !d.Spec.Strategy.Equal(wanted) {
		return fmt.Errorf("strategy %+v, recorded %+v", d.Spec.Strategy, wanted)
	}
	return nil
}

func (r *replay) observeDeployedImage(item transcriptItem) error {
	var want string
	if err := json.Unmarshal(item.Observed, &want); err != nil {
		return err
	}
	d, err := r.deployment()
	if err != nil {
		return err
	}
	image, resources, _ := strings.Cut(want, " ")
	container := d.Spec.Template.Spec.Containers[0]
	if container.Image != image {
		return fmt.Errorf("image %s, recorded %s", container.Image, image)
	}
	if resources == "" {
		return nil
	}
	var wanted objects.Resources
	if err := json.Unmarshal([]byte(resources), &wanted); err != nil {
		return err
	}
	if !container.Resources.Equal(wanted) {
		return fmt.Errorf("resources %+v, recorded %+v", container.Resources, wanted)
	}
	return nil
}

func (r *replay) observeReplicas(item transcriptItem) error {
	d, err := r.deployment()
	if err != nil {
		return err
	}
	if have := fmt.Sprintf("%q", fmt.Sprint(d.Spec.Pods())); have != string(item.Observed) {
		return fmt.Errorf("replicas %s, recorded %s", have, item.Observed)
	}
	return nil
}

func (r *replay) observeNoContainers(item transcriptItem) error {
	spec, err := r.master.Serving(r.about(item))
	if err != nil {
		return err
	}
	if len(spec.Parties[0].Containers) > 0 {
		return fmt.Errorf("resources are stored: %+v", spec.Parties[0].Containers)
	}
	return nil
}

// observeNamespace compares the labels of a namespace, which memory does not have.
func (r *replay) observeNamespace(item transcriptItem) error {
	if r.on == nil {
		defer r.controlPlane.Acquire()()
		if !domain.Of(r.controlPlane).HasNamespace("erin") {
			return fmt.Errorf("the namespace does not exist")
		}
		return nil
	}
	namespace, err := r.on.namespaces.Get(r.t.Context(), "erin", metav1.GetOptions{})
	if err != nil {
		return err
	}
	var line string
	if err := json.Unmarshal(item.Observed, &line); err != nil {
		return err
	}
	recorded := strings.Fields(line)
	if labels := recorded[len(recorded)-1]; labels != klabels.Set(namespace.GetLabels()).String() {
		return fmt.Errorf("the namespace has the labels %s, recorded are %s", klabels.Set(namespace.GetLabels()), labels)
	}
	return nil
}
