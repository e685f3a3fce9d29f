output "service" {
  description = "Address of the predictions, for the header Host of a request to the gateway of alice's node."
  value       = kuscia_serving.credit.endpoints["alice/service"]
}

output "metrics" {
  description = "Address of the metrics of each party, for the header Host of a request to the gateway of its node."
  value       = { for domain in keys(kuscia_serving.credit.parties) : domain => kuscia_serving.credit.endpoints["${domain}/internal"] }
}
