// Package secretflow knows what the application SecretFlow-Serving needs to start on Kuscia: of
// an app image, of the configuration text of a serving, and of the entries of the configuration.
//
// It was read in the source of secretflow/serving 0.2 to 0.9 and the main branch of August 2025,
// and is compared with the answers of its parser behind Kuscia's renderer
// (secretflowtest/answers.jsonl). It sends nothing and knows nothing of Terraform.
package secretflow
