data "kuscia_traffic_routing" "gray" {
  namespace = "alice"
  name      = "gray"
}

output "routed_services" {
  value = data.kuscia_traffic_routing.gray.object_ref[*].service
}
