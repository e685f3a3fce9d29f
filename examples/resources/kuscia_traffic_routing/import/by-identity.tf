import {
  to = kuscia_traffic_routing.gray
  identity = {
    namespace = "alice"
    name      = "gray"
  }
}
