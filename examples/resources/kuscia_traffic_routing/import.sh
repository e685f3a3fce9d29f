# The ID is namespace/name.
terraform import kuscia_traffic_routing.gray alice/gray
