"""Runs the example beside it on Pulumi's stand-in for an engine, and says what it has declared."""

import runpy

import pulumi


class Mocks(pulumi.runtime.Mocks):
    def __init__(self):
        self.declared = []

    def new_resource(self, args):
        self.declared.append((args.typ, args.inputs))
        # As outputs, the rules are a text.
        outputs = {"rules": "@rules\n", "ruleIdList": "", "ruleList": args.inputs["rules"]}
        return [f"{args.name}-id", {**args.inputs, **outputs}]

    def call(self, args):
        return {}


mocks = Mocks()
pulumi.runtime.set_mocks(mocks, project="office-allow-list-python", stack="dev")
pulumi.runtime.set_config("office-allow-list-python:ipPolicyId", "ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa")


@pulumi.runtime.test
def run():
    runpy.run_path("__main__.py", run_name="__main__")


run()
[(declared, inputs)] = mocks.declared
assert declared == "edge-policy:index:IpPolicyRuleSet", declared
assert inputs["ipPolicyId"].startswith("ipp_"), inputs
rules = inputs["rules"]
assert rules and all(rule["action"] == "allow" for rule in rules), rules
print(f"Python: the library installs, and the example declares a set of {len(rules)} rules.")
