# Requests with this header go to the new versions of all workloads whose
# Rollouts refer to this routing. The header x-release is set on these requests.
resource "kuscia_traffic_routing" "gray" {
  namespace = "alice"
  name      = "gray"

  object_ref = [{
    service = "gray-service"
    ingress = { name = "gray" }
  }]

  strategy = {
    matches                 = [{ headers = [{ name = "User-Agent", value = "Android" }] }]
    request_header_modifier = { set = { x-release = "gray" } }
  }
}

resource "kuscia_rollout" "gray" {
  namespace    = "alice"
  name         = "gray"
  workload_ref = { name = "gray" }

  canary = {
    traffic_routing_ref = kuscia_traffic_routing.gray.name
    steps               = [{ replicas = "1" }, { replicas = "100%" }]
  }
}
