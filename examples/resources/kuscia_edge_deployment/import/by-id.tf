import {
  to = kuscia_edge_deployment.lite
  id = "8170e363-0232-44eb-b89c-dab6b6e915ff"
}
