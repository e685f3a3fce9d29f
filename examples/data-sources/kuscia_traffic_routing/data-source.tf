data "kuscia_traffic_routing" "blue" {
  namespace = "alice"
  name      = "blue"
}

output "routed_services" {
  value = data.kuscia_traffic_routing.blue.object_ref[*].service
}
