package examplestest_test

// shown are texts in the output of the command in README.md, of some examples.
var shown = map[string][]string{
	"fleet":                                   {"not_available = {}"},
	"import-servings":                         {"2 imported, 0 added, 0 changed, 0 destroyed."},
	"migrating-from-curl":                     {"8 imported, 0 added, 0 changed, 0 destroyed."},
	"guides/serving-to-deployment":            {"1 imported, 0 added, 0 changed, 0 destroyed."},
	"modules/serving":                         {"5 passed, 0 failed."},
	"sandbox-faults":                          {`serving/update "glm": code 11100: not today`, "Destroy complete!"},
	"list-resources/kuscia_app_image":         {"secretflow-serving"},
	"list-resources/kuscia_deployment":        {"scores"},
	"list-resources/kuscia_domain_data":       {"scores"},
	"list-resources/kuscia_domain_data_grant": {"scores-to-bob"},
	"list-resources/kuscia_edge_deployment":   {"kuscia-lite-alice"},
	"list-resources/kuscia_serving":           {"glm"},
	"functions/quantity":                      {`memory = "2Gi"`},
}

// step is a further command in an example.
type step struct {
	command string
	// code is the exit code of the command, and plan that of a plan after an apply.
	code, plan int
	shown      []string
}

// The plans of most rollouts.
const (
	updatesAppImage = "# kuscia_app_image.serving will be updated in-place"
	updatesServing  = "# kuscia_serving.glm will be updated in-place"
)

// steps are what a user does after the command in README.md, such as another version.
var steps = map[string][]step{
	"monitoring": {{command: "terraform plan -var 'serving_ids=[\"serving-1\",\"other\"]'", code: 1, shown: []string{"Resource postcondition failed", "other: Kuscia does not know it"}}},
	"drift": {
		{command: "sh drift.sh", shown: []string{"No changes."}},
		// What somebody else has changed.
		{command: "terraform apply -var replicas=2"},
		{command: "sh drift.sh", code: 2, shown: []string{"# kuscia_serving.glm will be updated in-place", "Plan: 0 to add, 1 to change"}},
	},
	"blue-green": {
		{command: "terraform apply -var 'colors={blue=\"1.0\",green=\"1.1\"}'", shown: []string{"2 added, 0 changed, 0 destroyed.", "scores-blue-service"}},
		{command: "terraform apply -var 'colors={blue=\"1.0\",green=\"1.1\"}' -var active=green", shown: []string{"0 added, 0 changed, 0 destroyed.", "scores-green-service"}},
		{command: "terraform apply -var 'colors={green=\"1.1\"}' -var active=green", shown: []string{"0 added, 0 changed, 2 destroyed."}},
	},
	"rollouts/in-place":  {{command: "terraform apply -var tag=1.1", shown: []string{updatesAppImage, updatesServing}}},
	"rollouts/versioned": {{command: "terraform apply -var tag=1.1", shown: []string{`+/- resource "kuscia_app_image" "serving"`, updatesServing}}},
	"rollouts/replace":   {{command: `terraform apply -var 'command=["/app/server", "--verbose"]'`, shown: []string{updatesAppImage, `-/+ resource "kuscia_serving" "glm"`}}},
	"rollouts/digest":    {{command: "terraform apply -var digest=$(printf '%064d' 0)", shown: []string{updatesAppImage, updatesServing}}},
	"secrets": {{
		command: "terraform apply -var-file=sandbox.tfvars -var serving_config_version=2",
		shown:   []string{"~ serving_input_config_wo_version = 1 -> 2", "0 added, 1 changed, 0 destroyed."},
	}},
	"federation": {{
		command: `terraform apply -var-file=sandbox.tfvars -var 'image={name="secretflow/serving-anolis8",tag="0.9.0b0"}'`,
		shown:   []string{"0 added, 2 changed, 0 destroyed."},
	}},
	"secretflow-serving": {
		{command: "terraform apply -var-file=sandbox.tfvars -var model_version=2", shown: []string{
			`+/- resource "kuscia_domain_data" "alice_model"`, `modelId = "credit-1" -> "credit-2"`, "1 added, 1 changed, 1 destroyed.",
		}},
		{command: "terraform apply -var-file=sandbox.tfvars -var model_version=2 -var alice_model_from=file -var alice_features_from=mock", shown: []string{"0 added, 1 changed, 0 destroyed."}},
		{command: "terraform apply -var-file=sandbox.tfvars -var model_version=2 -var alice_model_from=http -var alice_features_from=csv", shown: []string{"0 added, 1 changed, 0 destroyed."}},
		{command: "terraform apply -var-file=sandbox.tfvars -var model_version=2 -var alice_model_from=data_mesh", shown: []string{"0 added, 1 changed, 0 destroyed."}},
	},
	"edge-node": {{
		command: "terraform apply -var-file=sandbox.tfvars -var kuscia_version=1.1.1b0",
		shown:   []string{"0 added, 1 changed, 0 destroyed."},
	}},
	"actions/kuscia_serving_redeploy": {{
		command: "sed -i.bak s/1.0/1.1/ action.tf && terraform apply",
		shown:   []string{"Action complete: action.kuscia_serving_redeploy.glm"},
	}},
	// A typo within a party, which the CLI drops without a word.
	"unknown-keys": {
		{command: "sed -i.bak '/bob/s/replicas/replica/' main.tf && terraform plan", code: 1, shown: []string{"A party has attributes that kuscia_serving does not know: replica."}},
		{command: "sed -i.bak '/bob/s/replica/replicas/' main.tf && terraform plan"},
	},
	// An apply that does not wait may end before the serving is unavailable; a later plan shows
	// it, and ends the loop. Without the postcondition the check warns, and nothing is planned.
	"checks": {
		{
			command: "terraform apply -var tag=broken -var wait_for_rollout=false; for i in 1 2 3 4 5; do terraform plan -var tag=broken -var wait_for_rollout=false; sleep 1; done", code: 1,
			shown: []string{"Error: Resource postcondition failed", "Serving glm is not available."},
		},
		{command: "rm postcondition.tf && terraform plan -var tag=broken -var wait_for_rollout=false", shown: []string{"Warning: Check block assertion failed"}},
		{command: "terraform apply", shown: []string{updatesServing}},
	},
	// During a release the rollout of the serving is not complete.
	"gradual-release": {
		{command: "terraform apply -var app_image=scores-2", plan: 2, shown: []string{`release = "step 1 waits for an approval"`}},
		{command: `terraform apply -var app_image=scores-2 -var 'approved={app_image="scores-2",step=1}'`, plan: 2, shown: []string{`release = "step 2 waits for an approval"`}},
		// A rollback, although the step stays approved; the image is released again.
		{command: `terraform apply -var 'approved={app_image="scores-2",step=1}'`, shown: []string{`release = "healthy"`}},
		{command: "terraform apply -var app_image=scores-2", plan: 2, shown: []string{`release = "step 1 waits for an approval"`}},
		{command: `terraform apply -var app_image=scores-2 -var 'approved={app_image="scores-2",step=1}'`, plan: 2, shown: []string{`release = "step 2 waits for an approval"`}},
		{command: `terraform apply -var app_image=scores-2 -var 'approved={app_image="scores-2",step=2}'`, shown: []string{`release = "healthy"`}},
	},
}

// hidden are values that the state of an example does not have.
var hidden = map[string][]string{
	"secrets":            {"access-key", "secret-key", "without-TLS"},
	"federation":         {`"secret"`},
	"secretflow-serving": {"access-key", "secret-key"},
}
