"""Who may connect, as a data file that people without a programming background can edit."""

import json
from pathlib import Path

import pulumi
import pulumi_edge_policy as edge_policy

offices = json.loads(Path("offices.json").read_text())

# Rules of a list need no names: the set knows them by their networks, and a preview shows the ones that change.
allow_list = edge_policy.IpPolicyRuleSet(
    "offices",
    ip_policy_id=pulumi.Config().get("ipPolicyId") or "ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa",
    rules=[
        edge_policy.IpPolicyRuleSetListedRuleArgs(
            cidr=cidr,
            action="allow",
            description=f"{office['office']} ({pulumi.get_stack()})",
        )
        for office in offices
        for cidr in office["networks"]
    ],
)

pulumi.export("allowed", allow_list.rule_list.apply(lambda rules: [rule.cidr for rule in rules]))
