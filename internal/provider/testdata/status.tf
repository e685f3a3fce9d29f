variable "serving_ids" {
  type = list(string)
}

# No provider block: the environment says which Kuscia it is.
data "kuscia_serving_status" "test" {
  serving_ids = var.serving_ids
}
