package examplestest_test

// pageRun is blocks of a page that a test runs one after the other, as they stand there.
type pageRun struct {
	// page is the path of the page, and blocks are the first lines of its blocks.
	page   string
	blocks []string
	// example is applied before, as its row in examples/README.md says, and the blocks run in its
	// folder: commands as a user types them, and a configuration as a file that overrides it, with
	// a plan. Before them prepare runs.
	example, prepare string
	// places are what a reader replaces, in pairs.
	places []string
	// needs is a CLI, as in examples/README.md.
	needs string
}

const guides = "docs/guides/"

// pageRuns are the blocks that run on a sandbox beside an example.
var pageRuns = []pageRun{
	{
		page: guides + "access-to-the-cluster.md", example: "gradual-release",
		blocks: []string{"terraform init"},
	},
	{
		page: guides + "blue-green.md", example: "blue-green",
		blocks: []string{"# Green starts beside blue; clients still use blue."},
	},
	{
		page: guides + "capacity.md", example: "quickstart",
		blocks: []string{`resource "kuscia_serving" "glm" {`},
	},
	{
		page: guides + "checks-and-gates.md", example: "checks",
		blocks: []string{"terraform plan -detailed-exitcode"},
	},
	{
		page: guides + "data-access.md", example: "resources/kuscia_domain_data_grant",
		blocks: []string{"terraform apply     # after a grant was added or removed"},
	},
	{
		page: guides + "drift.md", example: "drift",
		blocks: []string{"sh drift.sh"},
	},
	{
		page: guides + "edge-nodes.md", example: "edge-node",
		blocks: []string{"terraform apply -var-file=sandbox.tfvars", `provider "kuscia" {`},
	},
	{
		page: guides + "federation.md", example: "federation",
		blocks: []string{"terraform init"},
	},
	{
		page: guides + "import-in-bulk.md", example: "list-resources/kuscia_app_image", needs: "Terraform 1.14",
		blocks: []string{"terraform query"},
	},
	{
		page: guides + "import-in-bulk.md", example: "rollouts/in-place",
		prepare: "terraform state rm kuscia_serving.glm kuscia_app_image.serving",
		places:  []string{"secretflow-serving", "model-server"},
		blocks:  []string{"terraform import kuscia_app_image.serving secretflow-serving"},
	},
	{
		page: guides + "kusciadeployment-or-serving.md", example: "kuscia-deployment",
		blocks: []string{`resource "kuscia_deployment" "psi" {`},
	},
	{
		page: guides + "kusciadeployment-or-serving.md", example: "guides/serving-to-deployment",
		blocks: []string{`terraform plan # after the blocks of "From one to the other": nothing to add, change or destroy`},
	},
	{
		page: guides + "large-fleets.md", example: "fleet",
		blocks: []string{"terraform init"},
	},
	{
		page: guides + "migrating-from-curl.md", example: "migrating-from-curl", prepare: "mv sandbox.tfvars terraform.tfvars",
		blocks: []string{"terraform plan"},
	},
	{
		page: guides + "model-to-prediction.md", example: "secretflow-serving",
		blocks: []string{
			"terraform apply -var-file=sandbox.tfvars -var alice_model_from=file -var alice_features_from=mock",
			"terraform apply -var-file=sandbox.tfvars -var model_version=2",
		},
	},
	{
		page: guides + "monitoring.md", example: "monitoring",
		blocks: []string{"terraform init"},
	},
	{
		page: guides + "p2p.md", example: "p2p",
		blocks: []string{"terraform init"},
	},
	{
		page: guides + "permissions.md", example: "quickstart",
		places: []string{"var.gateway_token", `"token"`, "https://kuscia-read.example", "http://127.0.0.1:8082"},
		blocks: []string{`provider "kuscia" {`},
	},
	{
		page: guides + "releases-in-detail.md", example: "gradual-release",
		blocks: []string{"terraform apply -refresh-only   # reads the state of the release"},
	},
	{
		page: guides + "rolling-out-a-new-image.md", example: "rollouts/in-place",
		blocks: []string{"terraform apply -var tag=1.1"},
	},
	{
		page: guides + "several-kuscias.md", example: "several-kuscias",
		blocks: []string{"terraform init"},
	},
	{
		page: guides + "state.md", example: "quickstart", prepare: "rm terraform.tfstate",
		blocks: []string{"KUSCIA_ADOPT_EXISTING=true terraform apply"},
	},
	{
		page: guides + "waiting-for-a-rollout.md", example: "quickstart",
		blocks: []string{
			"terraform plan -detailed-exitcode                                           # 2 while a rollout is unfinished",
			`resource "kuscia_serving" "glm" {`,
		},
	},
	{
		page: guides + "releasing-step-by-step.md", example: "gradual-release",
		blocks: []string{
			"# The Rollout, then a serving with four pods.",
			"terraform apply -var app_image=scores-1 -var 'approved={app_image=\"scores-2\",step=1}'",
		},
	},
	{
		page: guides + "reviews-in-pull-requests.md", example: "quickstart",
		blocks: []string{"terraform plan -json -out=plan.bin >plan.log", "terraform show -json plan.bin | kuscia-review -fail-on interrupted,destroy >review.md"},
	},
	{
		page: guides + "testing-with-the-sandbox.md", example: "modules/serving",
		blocks: []string{`export PATH="$PATH:$(go env GOPATH)/bin"`},
	},
	{
		page: guides + "sandbox-faults.md", example: "quickstart",
		blocks: []string{"curl http://127.0.0.1:8082/sandbox/faults \\"},
	},
	{
		page: guides + "upgrading.md", example: "quickstart",
		blocks: []string{"terraform init -upgrade"},
	},
	{
		page: guides + "when-an-apply-fails.md", example: "quickstart",
		prepare: "terraform taint kuscia_serving.glm",
		blocks: []string{
			"terraform untaint kuscia_serving.glm                # keep a new serving that has come up",
		},
	},
	{
		page: "CONTRIBUTING.md", example: "quickstart",
		blocks: []string{"TF_LOG_SDK=off TF_LOG_PROVIDER=DEBUG TF_LOG_PATH=kuscia.log terraform apply"},
	},
}

// The reasons of several blocks.
const (
	needsContainer = "needs the container of a Kuscia"
	needsGateway   = "needs the gateway of a node; TestAccListedExamples sends the same requests to a stand-in"
)

// needElse are the blocks that need something that no test has, by page and first line, with the
// reason.
var needElse = map[string]map[string]string{
	"README.md": {
		"git clone https://github.com/terraform-kuscia/terraform-provider-kuscia": "downloads this repository; .ci/run runs make demo",
	},
	"CONTRIBUTING.md": {
		"make demo       # see it work":               ".ci/run runs both",
		"provider_installation {":                     "a folder of the reader's machine; main_acc_test.go runs a development override",
		"export TF_CLI_CONFIG_FILE=~/kuscia-dev.tfrc": "the override above; main_acc_test.go runs one",
		"make .bin/kubetest   # or: go -C internal/testing/kubetest build -o $PWD/.bin/ ./cmd/kubetest": "make test builds and starts it",
		"export KUSCIA_ENDPOINT=https://localhost:8082 KUSCIA_CERTS_DIR=$PWD/certs":                     "needs a real Kuscia",
		"go run ./internal/cmd/kuscia-sandbox --protocol NOTLS                  # on 127.0.0.1:8082":    "serves until Ctrl-C; the tests start the same program",
	},
	"examples/README.md": {
		"make install install-mirror":                                          "TestAccFromScratch runs these commands with another example",
		"make sandbox ARGS='--protocol NOTLS --certs-dir /tmp/kuscia-sandbox'": "serves until Ctrl-C; TestAccListedExamples starts the same program",
	},
	"docs/index.md": {
		"mkdir certs && chmod 700 certs": needsContainer + "; TestAccFromScratch runs the same block of Getting started",
	},
	guides + "access-to-the-cluster.md": {
		"mkdir -p ~/.kube": needsContainer,
		"docker exec -i CONTAINER kubectl apply -f - < cluster-role.yaml": needsContainer + "; TestClusterRole checks the role",
	},
	guides + "certificates-and-tokens.md": {
		`printf %s "$(openssl rand -hex 16)" | docker exec -i CONTAINER tee /home/kuscia/var/certs/token >/dev/null`: needsContainer,
	},
	guides + "state.md": {
		"terraform {": "needs a bucket of S3",
	},
	guides + "secrets.md": {
		"export KUSCIA_ENDPOINT=https://localhost:PORT KUSCIA_CERTS_DIR=$PWD/certs": "TestAccFromScratch runs the same line of Getting started",
		`ephemeral "vault_kv_secret_v2" "kuscia" {`:                                 "needs the provider hashicorp/vault and a Vault",
	},
	guides + "platforms.md": {
		"make -C terraform-provider-kuscia install-mirror PLUGINS=$PWD/providers": "TestAccListedExamples installs the provider in this way",
		"provider_installation {": "the folder of an image; TestAccListedExamples uses such a mirror",
		"terraform {":             "needs an organization in HCP Terraform",
		"apiVersion: infra.contrib.fluxcd.io/v1alpha2": "needs a cluster with Flux and the tofu-controller",
	},
	guides + "getting-started.md": {
		"docker exec CONTAINER grep protocol /home/kuscia/etc/conf/kuscia.yaml": needsContainer,
	},
	guides + "model-to-prediction.md": {
		`curl http://GATEWAY/PredictionService/Predict \`: needsGateway,
		`curl http://GATEWAY/metrics --header "Host: $(terraform output -json metrics | jq -r .alice)" --header 'Kuscia-Source: alice'`: needsGateway,
		"terraform apply -var-file=production.tfvars -var gateway=http://GATEWAY":                                                       needsGateway,
	},
}
