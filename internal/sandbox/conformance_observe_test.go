package sandbox

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// beforeItem has what was done outside of the API before an item, and waits that no note
// mentions, by transcript and index.
var beforeItem = map[string]func(r *replay){
	"serving-9-heal[3]":                after(5 * time.Second), // the servings were stable
	"serving-4-query-delete-proto[34]": after(5 * time.Second), // likewise; v0.13 and v1.0 need it
	// The pods of an update were starting at item 15, and about to be replaced
	// at item 17.
	"serving-5-traps[15]": after(300 * time.Millisecond),
	"serving-5-traps[17]": after(180 * time.Millisecond),
	// The copies were already up to date.
	"grant-1[103]":    after(time.Second),
	"grant-2-slow[7]": after(time.Second),
	"grant-1[117]":    func(r *replay) { r.expires("1795223686151602688", 4*time.Second) },
	"grant-2-slow[2]": func(r *replay) { r.expires("1795223764398366464", 5*time.Second) },
	// The nodes of domains were started and stopped.
	"domain-2[141]": func(r *replay) { must(r.t, r.master.RegisterNode("rk-d1", "rk-node", true)) },
	"domain-2[144]": func(r *replay) { must(r.t, r.master.RegisterNode("rk-d1", "rk-node", false)) },
	// The tokens of the gateways were written manually, then their failure.
	"route-2-ready[1]": func(r *replay) {
		r.advance(time.Second)
		must(r.t, r.master.SetRouteStatus("rk-a", "rk-b", true, ""))
	},
	"route-2-ready[5]": func(r *replay) { must(r.t, r.master.SetRouteStatus("rk-a", "rk-b", false, "DestinationUnreachable")) },
	// The setup has made this domain, and the print has nothing of it.
	"route-1[212]": func(r *replay) {
		defer r.controlPlane.Acquire()()
		must(r.t, server.TableOf[objects.Domain](r.controlPlane).Delete("", "c"))
	},
	// The earlier parallel updates left this name.
	"domaindata-1[125]": func(r *replay) {
		defer r.controlPlane.Acquire()()
		data := server.TableOf[objects.DomainData](r.controlPlane).Get(nodeOfRecordings, "rk-full")
		data.Spec.Name = "p2-4"
		must(r.t, server.TableOf[objects.DomainData](r.controlPlane).Update(data))
	},
	// An earlier domain with this id left its data source. An API server needs a moment for
	// its namespace.
	"domaindata-1[139]": func(r *replay) {
		must(r.t, r.eventually(func() error {
			defer r.controlPlane.Acquire()()
			return domain.Of(r.controlPlane).AddDefaultDataSource("rk-tmp")
		}))
	},
	// The writes before the recorded delete reached the cache, this one did
	// not.
	"config-1[57]": func(r *replay) { r.servers[portNode].node.StaleConfig = 1 },
	"config-1[59]": func(r *replay) { r.servers[portNode].node.StaleConfig = -1 },
	"datasource-1[136]": func(r *replay) {
		defer r.controlPlane.Acquire()()
		sources := server.TableOf[objects.DomainDataSource](r.controlPlane)
		for _, source := range sources.List(nodeOfRecordings) {
			must(r.t, sources.Delete(nodeOfRecordings, source.Name))
		}
	},
}

// instant are exchanges whose recorded duration was caused by the load of the
// machine.
var instant = map[string]bool{"serving-5-traps[15]": true, "serving-5-traps[16]": true}

func after(d time.Duration) func(r *replay) { return func(r *replay) { r.advance(d) } }

// expires replaces a recorded time by one that is equally far in the future.
func (r *replay) expires(recorded string, in time.Duration) {
	at := r.controlPlane.ClockTime().Add(in).UnixNano()
	number, err := strconv.ParseInt(recorded, 10, 64)
	must(r.t, err)
	r.ids[recorded] = fmt.Sprint(at)
	r.ids[fmt.Sprint(number/domain.NanosPerSecond*domain.NanosPerSecond)] = fmt.Sprint(at / domain.NanosPerSecond * domain.NanosPerSecond)
}

// observers check observations outside of the API, by the note of the item.
var observers = []struct {
	note  *regexp.Regexp
	check func(r *replay, item transcriptItem) error
}{
	{pollEnds, (*replay).observePoll},
	{regexp.MustCompile(`^8 parallel creates`), (*replay).observeRace},
	{regexp.MustCompile(`^decoded answer of: `), (*replay).observeNewCertificate},
	{regexp.MustCompile(`^state( over time.*|s)?$`), (*replay).observeStates},
	{regexp.MustCompile(`^after (create|config|replicas|resources|strategy)`), (*replay).observeParties},
	{regexp.MustCompile(`(?i)kusciadeployment\.status|^kd status`), (*replay).observeStoredStatus},
	{regexp.MustCompile(`KusciaDeployment generation`), (*replay).observeGeneration},
	{regexp.MustCompile(`-> generation$`), (*replay).observeImageChange},
	{regexp.MustCompile(`k8s deployment strategy$`), deployedAs("{.spec.strategy}")},
	{regexp.MustCompile(`^alice image`), deployedAs("{.spec.template.spec.containers[0].image} {.spec.template.spec.containers[0].resources}")},
	{regexp.MustCompile(`^deployment image`), deployedAs("{.spec.template.spec.containers[0].image}")},
	{regexp.MustCompile(`k8s deployment replicas$`), deployedAs("{.spec.replicas}")},
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

// observe checks an observation by its key or its note. Those by note may need some time,
// except for series over time.
func (r *replay) observe(key string, item transcriptItem) error {
	if observe := observeItem[key]; observe != nil {
		return observe(r, item)
	}
	for _, observer := range observers {
		if !observer.note.MatchString(item.Note) && !observer.note.MatchString(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(item.Note), "->"))) {
			continue
		}
		if r.ofObjects() {
			return observer.check(r, item)
		}
		return r.eventually(func() error { return observer.check(r, item) })
	}
	return fmt.Errorf("nothing checks this observation")
}

// eventually waits until a check succeeds; the time since the previous exchange
// was not recorded. The controllers of an API server have the clock of the machine.
func (r *replay) eventually(check func() error) error {
	err := check()
	for waited := time.Duration(0); err != nil && waited < unrecorded; waited += unrecordedStep {
		r.advance(unrecordedStep)
		err = check()
	}
	if err != nil && r.controlPlane.API != nil {
		return settles(check)
	}
	return err
}

// observed decodes an observation.
func observed[T any](r *replay, item transcriptItem) (value T) {
	r.t.Helper()
	must(r.t, json.Unmarshal(item.Observed, &value))
	return value
}

// same is an error for values that are not equal.
func same(have, recorded any) error {
	if reflect.DeepEqual(have, recorded) {
		return nil
	}
	return fmt.Errorf("%v, recorded %v", have, recorded)
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
	type status struct {
		AvailableParties, TotalParties int
		Phase, Reason, Message         string
	}
	kd, err := r.master.KusciaDeployment(r.about(item))
	if err != nil {
		return err
	}
	want, stored := observed[status](r, item), kd.Status
	// The port in the text is random: it comes from a map.
	want.Message = portName.ReplaceAllString(want.Message, "-PORT")
	message := portName.ReplaceAllString(stored.Message, "-PORT")
	return same(status{stored.AvailableParties, stored.TotalParties, stored.Phase, stored.Reason, message}, want)
}

func (r *replay) observeGeneration(item transcriptItem) error {
	kd, err := r.master.KusciaDeployment(r.lastID)
	if err != nil {
		return err
	}
	return same([2]int64{r.generations[r.lastID], kd.Generation}, observed[[2]int64](r, item))
}

func (r *replay) observeImageChange(item transcriptItem) error {
	generations := observed[[2]string](r, item)
	after, err := r.master.AppImage("ai-full")
	if err != nil {
		return err
	}
	return same(!reflect.DeepEqual(r.before["ai-full"], after), generations[0] != generations[1])
}

// deployment is the Deployment of alice for the serving of the last request.
func (r *replay) deployment() (objects.Deployment, error) {
	return r.master.Deployment(r.lastID, "alice", "")
}

func (r *replay) observeNoContainers(item transcriptItem) error {
	spec, err := r.master.Serving(r.about(item))
	if err != nil {
		return err
	}
	return same(len(spec.Parties[0].Containers), 0)
}

// observeNamespace compares the labels of a namespace.
func (r *replay) observeNamespace(item transcriptItem) error {
	defer r.controlPlane.Acquire()()
	namespace := server.TableOf[objects.Namespace](r.controlPlane).Get("", "erin")
	if namespace == nil {
		return fmt.Errorf("the namespace does not exist")
	}
	var labels []string
	for name, value := range namespace.Labels {
		labels = append(labels, name+"="+value)
	}
	slices.Sort(labels)
	recorded := strings.Fields(observed[string](r, item))
	return same(strings.Join(labels, ","), recorded[len(recorded)-1])
}

// withoutEmpty is the JSON of a value without what is empty.
func withoutEmpty(value any) any {
	text, _ := json.Marshal(value) // stored objects and decoded JSON always marshal
	var tree any
	_ = json.Unmarshal(text, &tree)
	switch tree := tree.(type) {
	case []any:
		for i := range tree {
			tree[i] = withoutEmpty(tree[i])
		}
	case map[string]any:
		for name, value := range tree {
			value = withoutEmpty(value)
			tree[name] = value
			if text := fmt.Sprint(value); value == nil || text == "" || text == "[]" || text == "map[]" {
				delete(tree, name)
			}
		}
	}
	return tree
}

func (r *replay) observeStoredImage(item transcriptItem) error {
	defer r.controlPlane.Acquire()()
	image, err := appimage.Of(r.controlPlane).Find(r.lastName)
	if err != nil {
		return err
	}
	return same(withoutEmpty(image.Object.Spec), withoutEmpty(item.Observed))
}

func (r *replay) observeStoredServing(item transcriptItem) error {
	kd, err := r.master.KusciaDeployment("serving-1")
	if err != nil {
		return err
	}
	return same(withoutEmpty(map[string]any{"spec": kd.Spec}), withoutEmpty(item.Observed))
}

var numbers = regexp.MustCompile(`\b[23]\d{4}\b`)

// variables are environment variables in which port numbers are 0 and the words of lists are
// sorted, since a real server takes their order from maps.
func variables(env []objects.EnvVar) []string {
	list := make([]string, len(env))
	for i, one := range env {
		value := numbers.ReplaceAllString(one.Value, "0")
		if one.Name == "CLUSTER_DEFINE" || one.Name == "ALLOCATED_PORTS" {
			words := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("[]{}, ", r) })
			slices.Sort(words)
			value = strings.Join(words, " ")
		}
		list[i] = one.Name + "=" + value
	}
	slices.Sort(list)
	return list
}

// observeContainer compares a container. The API server has set its defaults in the recorded one.
func (r *replay) observeContainer(item transcriptItem) error {
	d, err := r.master.Deployment("serving-1", "alice", "")
	if err != nil {
		return err
	}
	container := d.Spec.Template.Spec.Containers[0]
	if err := same(variables(container.Env), variables(observed[objects.PodContainer](r, item).Env)); err != nil {
		return err
	}
	container.Env, container.Ports = nil, nil
	return within(withoutEmpty(container), withoutEmpty(item.Observed))
}

// within is an error for a field that a recorded object does not have with this value.
func within(have, recorded any) error {
	fields, ok := have.(map[string]any)
	if !ok {
		return same(have, recorded)
	}
	others, _ := recorded.(map[string]any)
	for name, value := range fields {
		if err := within(value, others[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (r *replay) observeVariables(item transcriptItem) error {
	var recorded []objects.EnvVar
	for _, line := range observed[[]string](r, item) {
		name, value, _ := strings.Cut(line, "=")
		recorded = append(recorded, objects.EnvVar{Name: name, Value: value})
	}
	d, err := r.deployment()
	if err != nil {
		return err
	}
	return same(variables(d.Spec.Template.Spec.Containers[0].Env), variables(recorded))
}
