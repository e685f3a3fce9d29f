package review

import (
	"cmp"
	"encoding/json"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/graph"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/planconfig"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/warnings"
)

// ReportVersion is that of the JSON form. Fields are added without a new one.
const ReportVersion = "1.0"

// Report says what a plan does. Its JSON form is what -format json writes; an
// unknown value is "(known after apply)" there, a sensitive one "(sensitive)".
type Report struct {
	FormatVersion string `json:"format_version"`
	// Name is that of -name.
	Name string `json:"name"`
	// Headline is one sentence, with the worst first.
	Headline phrase.Phrase `json:"headline"`
	// Audience is the domain of -for, and ToDo what its organization has to do.
	Audience string              `json:"for"`
	ToDo     List[phrase.Phrase] `json:"to_do"`
	// ToDos are what the organization of each domain has to do that the plan touches.
	ToDos map[string]List[phrase.Phrase] `json:"to_dos"`
	// ToDosOfOthers are what those have to do whom this plan does not know.
	ToDosOfOthers List[ToDo] `json:"to_dos_of_others"`
	// Domains are those that the plan touches, and Owners who is to be asked for each, by -codeowners.
	Domains List[string]        `json:"domains"`
	Owners  map[string][]string `json:"owners"`
	// Everyone: whom a change is about is not known, and Domains are all that the plan knows.
	Everyone bool `json:"everyone"`
	// Made says how the plan was made.
	Made Made `json:"made"`
	// Verdict is what a plan does in numbers.
	Verdict Verdict `json:"verdict"`
	// Changes: the plan changes an object or an output.
	Changes bool `json:"changes"`
	// Errored: the plan failed, and the report is incomplete.
	Errored bool `json:"errored"`
	// Findings are what a gate may refuse.
	Findings List[Finding] `json:"findings"`

	Servings List[Serving] `json:"servings"`
	Releases List[Release] `json:"releases"`
	// Access is who may see what before and after the change, new readers first.
	Access      List[Access]     `json:"access"`
	Grants      List[Grant]      `json:"grants"`
	Data        List[Data]       `json:"data"`
	Routes      List[Route]      `json:"routes"`
	Credentials List[Credential] `json:"credentials"`
	// Programs are what decides which program runs, beside images and models of servings: what decides most
	// is first.
	Programs List[Program] `json:"programs"`
	// Values are all values that change, by object.
	Values List[Values] `json:"values"`
	// OtherValues are those of what this program does not judge: resources of other providers, their data sources
	// that are read in the apply, their actions, and outputs.
	OtherValues List[Values] `json:"other_values"`
	// Others are the other objects of this provider that change.
	Others List[Other] `json:"others"`
	// OtherProviders counts the changes of resources of other providers, and their reads in the apply.
	OtherProviders Counts `json:"other_providers"`
	// OtherActions is the number of actions of other providers that are invoked.
	OtherActions int `json:"other_actions"`
	// Drift are objects that were changed without Terraform.
	Drift List[Other] `json:"drift"`
	// DriftAccess and DriftValues are Access and Values of these.
	DriftAccess List[Access] `json:"drift_access"`
	DriftValues List[Values] `json:"drift_values"`
	// Deferred are changes that are left for another plan.
	Deferred List[Other] `json:"deferred"`
	// Outputs are the names of outputs that change.
	Outputs List[string] `json:"outputs"`
	// Warnings are what the provider and the CLI say in the log of -log, and Errors why a plan failed.
	Warnings List[warnings.Diagnostic] `json:"warnings"`
	Errors   List[warnings.Diagnostic] `json:"errors"`
	// Checks are the checks that fail.
	Checks List[Check] `json:"checks"`
	// Notes are what a reviewer could overlook.
	Notes List[phrase.Phrase] `json:"notes"`

	graph *graph.Graph
	// language is the one of the Markdown and the text.
	language *phrase.Language
	// onlyState: the apply changes something, which is no object and no output.
	onlyState bool
	// domainsOf are the domains of each address, ofEveryone are the addresses that may be about others
	// too, and verdictOf is the verdict about one.
	domainsOf  map[string][]string
	ofEveryone map[string]bool
	// known are the domains that the plan names, also those that it does not touch.
	known     []string
	verdictOf func(domain string) Verdict
	// hasLog: there is a log of plan -json.
	hasLog bool
	// refusedUnless is the number of objects without which the apply is refused.
	refusedUnless int
	// openChecks is the number of checks that the plan does not evaluate. isPart: it is only a part, and mayBePart:
	// it does not say so.
	openChecks        int
	isPart, mayBePart bool
	// readBefore are the data sources of other providers that were read for the plan, and ephemeral their
	// ephemeral resources.
	readBefore, ephemeral []phrase.Phrase
	// unknownBlocks is the number of resources that are deleted and have no block in the configuration.
	unknownBlocks int
	// servers are the APIs of the provider configurations, and mayLogIn those of which it is not known
	// whether they run a program.
	servers  []phrase.Phrase
	mayLogIn []string
	// installations are the provider configurations of what changes, each with its objects, if there
	// are several.
	installations []installation
	// routed are the sources and destinations of the routes after the change.
	routed map[[2]string]bool
	// outside is the report of what others have changed, nil for nothing.
	outside *Report
	// titles are what sentences call the objects, by their addresses.
	titles map[string]phrase.Phrase
	// agreements are what organizations have to agree to, beside access.
	agreements []agreement
	// users are the servings in the plan that use each app image, by its address.
	users map[string][]string
	// redeployed are the servings that actions restart, and nothing else changes.
	redeployed List[Serving]
	// touched are the addresses of the objects of this provider that change.
	touched []string
}

// ToDo is what there is to do because of the change of an object.
type ToDo struct {
	Address string        `json:"address"`
	Text    phrase.Phrase `json:"text"`
}

// changesBeside reports whether the plan changes anything but these objects.
func (r *Report) changesBeside(addresses []string) bool {
	isOther := func(address string) bool { return !slices.Contains(addresses, address) }
	return r.OtherActions > 0 || len(r.Outputs) > 0 || r.onlyState || slices.ContainsFunc(r.touched, isOther) ||
		slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.kind.isChange() && isOther(f.Address) })
}

// Made is by what, when and of which commit a plan was made.
type Made struct {
	// Version is that of the CLI, and Time when it planned.
	Version string `json:"cli_version"`
	Time    string `json:"time"`
	// Commit is that of -commit, and Program the version of this program.
	Commit  string `json:"commit"`
	Program string `json:"program_version"`
}

// List is a list that is [] in JSON if it is empty.
type List[T any] []T

// MarshalJSON writes the list.
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]T(l))
}

// Counts are numbers of changes.
type Counts struct {
	Create  int `json:"create"`
	Update  int `json:"update"`
	Replace int `json:"replace"`
	Delete  int `json:"delete"`
	Forget  int `json:"forget"`
	Read    int `json:"read"`
}

func (c *Counts) add(action plan.Action) {
	switch action {
	case plan.Create:
		c.Create++
	case plan.Update:
		c.Update++
	case plan.Replace:
		c.Replace++
	case plan.Delete:
		c.Delete++
	case plan.Forget:
		c.Forget++
	case plan.Lookup:
		c.Read++
	}
}

func (c Counts) total() int { return c.Create + c.Update + c.Replace + c.Delete + c.Forget + c.Read }

// Check is a check, pre- or postcondition that fails.
type Check struct {
	Address  string       `json:"address"`
	Problems List[string] `json:"problems"`
}

// builder makes a report of the objects of a plan.
type builder struct {
	objects []plan.Object
	// forgotten are objects that the plan forgets and imports again, which are not among these.
	forgotten []plan.Object
	// removed are objects that others have removed, which are not among these.
	removed []plan.Object
	// byKind are the objects of a type.
	byKind map[string][]*plan.Object
	// blocks are those of the configuration, provider is its provider configuration if there is just one,
	// and kuscias tells which of several are one Kuscia.
	blocks   planconfig.Blocks
	provider string
	kuscias  planconfig.Kuscias
	// workloads are all servings and deployments.
	workloads []workload
	report    Report
	// workloadsAt are the workloads by the indexes of their objects, servingsAt are the indexes of servings by
	// their ids, and findingsAt those of findings by address.
	workloadsAt map[int]*workload
	servingsAt  map[string][]int
	findingsAt  map[string][]int
	// differencesAt are those of objects by their indexes.
	differencesAt map[int][]plan.Difference
	// uses are the objects that use others, and programKnown the programs of the report.
	uses         uses
	programKnown map[Program]bool
	// withData are the grants that Kuscia deletes with their data, and movedData is how the data of
	// a grant that stays changes.
	withData  map[*plan.Object]bool
	movedData map[*plan.Object][]dataChange
	// inUse are the provider configurations in which others refer to an object, or the plan gives one up,
	// also by what is left of its names where some are not known.
	inUse map[plan.ID][]string
	// started are the provider configurations of new parties by their app images, "" for one that is not
	// known.
	started map[string][]string
	// usedImages are the names of the servings that use each app image after the change.
	usedImages map[appImageID][]string
	// redeployed are the workloads that actions restart, and nothing else changes.
	redeployed []workload
	// restarted are the ids of servings that actions restart.
	restarted map[string]bool
	// distrusted are the domains that others may act as, or control, from then on.
	distrusted []distrusted
	// entriesOf counts the entries of which the domains are found.
	entriesOf often
	// asked are the actions, and what is left for another plan; drifted is what others have changed.
	asked, drifted []plan.Object
	// noted are the other names of this provider.
	noted map[string]bool
	// isDrift: the changes are those of others, which no apply makes.
	isDrift bool
}

func newBuilder(blocks planconfig.Blocks, provider string, kuscias planconfig.Kuscias) *builder {
	return &builder{
		byKind: map[string][]*plan.Object{}, blocks: blocks, provider: provider, kuscias: kuscias,
		usedImages: map[appImageID][]string{}, workloadsAt: map[int]*workload{}, servingsAt: map[string][]int{}, restarted: map[string]bool{}, programKnown: map[Program]bool{}, findingsAt: map[string][]int{}, differencesAt: map[int][]plan.Difference{},
		withData: map[*plan.Object]bool{}, movedData: map[*plan.Object][]dataChange{}, noted: map[string]bool{}, entriesOf: often{}, inUse: map[plan.ID][]string{},
	}
}

// Build makes the report of a plan.
func Build(from *plan.Plan) *Report {
	b := newBuilder(from.Configuration.Blocks(), from.Configuration.SoleProvider("kuscia"), from.Configuration.Kuscias("kuscia"))
	b.report = Report{FormatVersion: ReportVersion, Errored: from.Errored, language: phrase.English, Made: Made{Version: from.TerraformVersion, Time: from.Timestamp}}
	for _, change := range from.ResourceChanges {
		b.add(change)
	}
	d := b.changesOfOthers(from)
	b.removed = only(d.objects, func(o plan.Object) bool { return isRemoved(&o) })
	b.analyse()
	b.report.users = b.users()
	b.drift(d)
	b.notes(from)
	b.actions(from)
	b.taken()
	b.readBefore(from)
	b.plugins(from)
	b.report.graph = b.drawing()
	r := &b.report
	for _, f := range r.Findings {
		category.Sort(f.Categories)
	}
	slices.SortStableFunc(r.Findings, func(x, y Finding) int { return cmp.Compare(x.kind, y.kind) })
	for _, o := range b.objects {
		r.titles[o.Address] = o.Title()
		if o.Touched() {
			r.touched = append(r.touched, o.Address)
		}
	}
	r.Changes = r.changesBeside(nil)
	b.applyable(from)
	r.Verdict = b.verdict("")
	b.domains()
	r.Owners, r.verdictOf = map[string][]string{}, b.verdict
	r.ToDos = r.toDos()
	r.Headline = r.headline()
	return r
}

// analyse reports what happens to the objects.
func (b *builder) analyse() {
	b.objects, b.forgotten = plan.Rejoined(b.objects)
	b.objects = plan.Paired(plan.Parted(b.objects))
	plan.TakeOver(b.objects, b.removed)
	for i := range b.objects {
		o := &b.objects[i]
		b.byKind[o.Kind] = append(b.byKind[o.Kind], o)
	}
	b.report.installations = b.installations()
	b.findUses()
	b.hideData()
	b.uses = b.newUses()
	b.servings()
	b.releases()
	b.grants()
	b.routes()
	b.credentials()
	b.others()
	b.attributes()
	b.access()
	b.values()
}

func (b *builder) add(change *tfjson.ResourceChange) {
	switch {
	case change == nil:
		return
	case change.Mode == tfjson.DataResourceMode:
		if !b.isDrift && change.Change != nil && change.Change.Actions.Read() && !plan.IsOurs(change.Type) {
			b.otherProvider(plan.NewLookup(change), change.ProviderName)
		}
		return
	}
	block := b.blocks.Of(change.Address)
	for _, o := range plan.NewObjects(change) {
		if !b.isDrift {
			b.provisioners(o, block)
		}
		if !plan.IsOurs(o.Kind) {
			b.otherProvider(o, change.ProviderName)
			continue
		}
		b.noteProvider(change.ProviderName)
		o.Provider = b.kuscias.Of(block.Provider)
		if o.Kind == "kuscia_edge_deployment" { // it is in no Kuscia
			o.Provider = b.providerOf(o.Address)
		}
		b.objects = append(b.objects, o)
	}
}

// find adds a finding.
func (b *builder) find(f Finding) {
	b.findingsAt[f.Address] = append(b.findingsAt[f.Address], len(b.report.Findings))
	b.report.Findings = append(b.report.Findings, f)
}

// hideData hides in grants what the plan hides of their data: its id, or its domain.
func (b *builder) hideData() {
	for _, attribute := range []string{"domaindata_id", "domain_id"} {
		hidden := map[dataID]bool{}
		for _, o := range b.byKind["kuscia_domain_data"] {
			for _, side := range []plan.Value{o.Before, o.After} {
				if id, ok := dataOf(side); ok && side.At(attribute).IsSensitive() {
					hidden[id] = true
				}
			}
		}
		for _, o := range b.byKind["kuscia_domain_data_grant"] {
			whole, _ := o.Whole()
			before, _ := dataOf(whole.Before)
			after, _ := dataOf(whole.After)
			if hidden[before] || hidden[after] {
				o.Hide(attribute)
			}
		}
	}
}

// providerOf is the provider configuration of an object, "" if that is not known.
func (b *builder) providerOf(address string) string {
	return cmp.Or(b.blocks.Of(address).Provider, b.provider)
}

// installation is what may be a Kuscia of its own, with its provider configurations and the objects that
// change by them.
type installation struct {
	of        string
	providers []string
	objects   []string
}

// installations are those of what changes, nil if there is just one.
func (b *builder) installations() []installation {
	var all []installation
	for _, o := range b.objects {
		if !o.Touched() {
			continue
		}
		at := slices.IndexFunc(all, func(i installation) bool { return i.of == o.Provider })
		if at < 0 {
			at, all = len(all), append(all, installation{of: o.Provider})
		}
		if provider := b.providerOf(o.Address); !slices.Contains(all[at].providers, provider) {
			all[at].providers = append(all[at].providers, provider)
		}
		if n := len(all[at].objects); n == 0 || all[at].objects[n-1] != o.Address {
			all[at].objects = append(all[at].objects, o.Address)
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// in says of something in which installation the object with this address is, if there are several.
func (b *builder) in(address string, subject phrase.Phrase) phrase.Phrase {
	provider := b.providerOf(address)
	switch {
	case len(b.report.installations) == 0:
		return subject
	case provider == "":
		return phrase.Say("{} in a provider configuration that this plan does not name", subject)
	}
	return phrase.Say("{} in {}", subject, phrase.Show(provider))
}

// users are the names of the servings that use each app image that changes.
func (b *builder) users() map[string][]string {
	all := map[string][]string{}
	byImage := map[appImageID][]string{}
	for _, w := range b.workloads {
		for _, p := range w.shown() {
			for _, party := range []keyed{p.pair.before, p.pair.after} {
				id := appImageID{w.Provider, party.At("app_image").Name()}
				byImage[id] = append(byImage[id], w.name)
			}
		}
	}
	for _, o := range b.byKind["kuscia_app_image"] {
		if name := o.Latest().At("name").Name(); name != "" {
			all[o.Address] = compact(byImage[appImageID{o.Provider, name}])
		}
	}
	return all
}

// JSON is the report for programs.
func (r *Report) JSON() ([]byte, error) {
	content, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(phrase.JSONText(content), '\n'), nil
}
