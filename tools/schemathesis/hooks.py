"""Tells schemathesis what no schema can say: which texts of a format are valid, and what belongs together."""

import ipaddress
import json

import schemathesis
from hypothesis import strategies as st


def network(address, bits):
    """The network of an address: host bits are refused."""
    return str(ipaddress.ip_network((address, min(bits, address.max_prefixlen)), strict=False))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)

schemathesis.openapi.format("cidr", st.builds(network, st.ip_addresses(), st.integers(0, 128)))
schemathesis.openapi.format(
    "policy-document", st.dictionaries(st.text(), json_values, max_size=3).map(json.dumps)
)
schemathesis.openapi.format(
    "user-agent-pattern", st.from_regex(r"\A(\(\?i\))?\^?[A-Za-z0-9 /_-]{1,20}(\\d+|\.\*)?\$?\Z")
)


TEXTS = {"description": 255, "metadata": 4096}


@schemathesis.hook
def before_call(context, case, kwargs):
    """A cursor is the id of a rule that is there, the id in a PATCH that of its path, and texts have a limit in bytes."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if isinstance(case.query, dict):
        case.query.pop("before_id", None)
    if case.operation.method.upper() == "PATCH" and isinstance(case.body, dict):
        case.body.pop("id", None)
    if isinstance(case.body, dict):
        for name, limit in TEXTS.items():
            if isinstance(case.body.get(name), str):
                case.body[name] = case.body[name].encode("utf-8", "ignore")[:limit].decode("utf-8", "ignore")
