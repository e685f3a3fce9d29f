# Prints one line for each reason to refuse a plan; nothing if it is acceptable.
# Its input is that of "terraform show -json PLAN".

# Addresses that may be replaced or destroyed this once, separated by spaces.
($ENV.ALLOW_DESTROY // "" | split(" ")) as $allowed

# A tainted serving never ran after its create, or somebody tainted it
# manually. It may be replaced.
| def live: .action_reason != "replace_because_tainted";

(
  .resource_changes[]?
  | select(.type == "kuscia_serving" and live)
  | select(.change.actions | index("delete"))
  | select(.address as $address | $allowed | index($address) | not)
  | if .change.actions == ["delete"] then
      "\(.address): a live serving would be destroyed"
    else
      "\(.address): a live serving would be replaced"
      + (
        [.change.replace_paths[]? | map(tostring) | join(".")]
        | if . == [] then "" else ", because of \(join(", "))" end
      )
    end
),

# Checks that failed are warnings in the plan, and refused here.
(
  .checks[]?
  | select(.address.kind == "check" and .status == "fail")
  | "check.\(.address.name): \([.instances[]?.problems[]?.message] | join(" "))"
)
