import {
  to = kuscia_traffic_routing.gray
  id = "alice/gray"
}
