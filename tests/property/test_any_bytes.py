"""Whatever the bytes are, nothing is raised but a ReplayError, and every output takes the items."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import Place, as_bytes, in_every_output, inputs, outcome, records, steady, strings_in

from cursor_replay.ingest.detect import FORMATS

FORMS = [None, *(each.name for each in FORMATS)]
FORM = st.sampled_from(FORMS)
LINES = [line for data in inputs().values() for line in data.split(b"\n") if len(line) < 5000]
RECORDS = [record for each in records().values() for record in each]
WORDS = sorted(
    {key for record in RECORDS for place, _ in strings_in(record) for key in place if key != ""},
    key=str,
)
TYPES = sorted(
    {text for record in RECORDS for place, text in strings_in(record) if place[-1] == "type"}
)
ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    10**400,
    "",
    "x",
    [],
    [[]],
    [None],
    {},
    {"a": {}},
    "\ud800",
]

JSON = st.recursive(
    st.sampled_from(ODD) | st.text(max_size=8) | st.sampled_from(TYPES),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([str(word) for word in WORDS]), inner, max_size=5)
    ),
    max_leaves=12,
)


def check(data: bytes, form: str | None) -> None:
    found = outcome(data, form=form)
    if isinstance(found, str):
        assert found
        assert "\n" not in found
        return
    for _, text in in_every_output(found):
        text.encode("utf-8")


@pytest.mark.parametrize("form", FORMS)
@steady(40)
@given(data=st.binary(max_size=300))
def test_any_bytes(form: str | None, data: bytes) -> None:
    check(data, form)


@steady(100)
@given(
    form=FORM,
    lines=st.lists(st.sampled_from(LINES) | st.binary(max_size=20), min_size=1, max_size=8),
    end=st.sampled_from([b"\n", b"\r\n", b""]),
)
def test_any_lines_in_any_order(form: str | None, lines: list[bytes], end: bytes) -> None:
    check(end.join(lines) if end else b"\n".join(lines), form)


@steady(150)
@given(
    line=st.sampled_from(LINES),
    form=FORM,
    at=st.floats(0, 1),
    length=st.integers(0, 6),
    new=st.binary(max_size=6),
)
def test_any_bytes_inside_a_real_line(
    line: bytes, form: str | None, at: float, length: int, new: bytes
) -> None:
    place = int(len(line) * at)
    check(line[:place] + new + line[place + length :] + b"\n", form)


def places(value: Any, place: Place = ()) -> list[Place]:
    found = [place]
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            found += places(each, (*place, key))
    return found


def replaced(value: Any, place: Place, new: Any) -> Any:
    if not place:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = replaced(copy[place[0]], place[1:], new)
    return copy


@steady(200)
@given(data=st.data(), form=FORM)
def test_any_value_in_any_place_of_a_real_record(data: st.DataObject, form: str | None) -> None:
    name = data.draw(st.sampled_from(sorted(records())))
    lines = list(records()[name])
    index = data.draw(st.integers(0, len(lines) - 1))
    place = data.draw(st.sampled_from(places(lines[index])))
    lines[index] = replaced(lines[index], place, data.draw(st.sampled_from(ODD) | JSON))
    check(as_bytes(lines), form)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: json.dumps(odd)[:12])
def test_an_odd_value_in_every_place_of_one_record_of_each_kind(odd: Any) -> None:
    kinds: dict[str, Any] = {}
    for record in RECORDS:
        kinds.setdefault(f"{record.get('type')} {record.get('role')} {sorted(record)}", record)
    for record in kinds.values():
        for place in places(record)[:40]:
            found = outcome(as_bytes([RECORDS[0], replaced(record, place, odd)]))
            assert isinstance(found, list), found  # one odd record costs no other


@steady(80)
@given(value=JSON, form=FORM)
def test_any_json(value: Any, form: str | None) -> None:
    check(json.dumps(value).encode(), form)
    check(as_bytes([RECORDS[0], value]), None)


NUMBERS = ("limit", "offset", "timeout", "timeoutMs", "headLimit", "head_limit", "lines", "context")
TOOLS = ("read", "shell", "grep", "glob", "ls", "webFetch", "delete", "brewTea")


@pytest.mark.parametrize("digits", [19, 40, 310, 3999])
@pytest.mark.parametrize("name", TOOLS)
def test_an_integer_of_any_size_is_an_argument_like_another(name: str, digits: int) -> None:
    args = dict.fromkeys(NUMBERS, 10**digits)
    call = {"type": name, "args": {"path": "a", "command": "ls", "pattern": "x", **args}}
    result = {"status": "success", "value": {"exitCode": 10**digits, "content": "x", **args}}
    check(
        as_bytes(
            [
                {"type": "tool-call-started", "callId": "a", "toolCall": call},
                {
                    "type": "tool-call-completed",
                    "callId": "a",
                    "toolCall": {**call, "result": result},
                },
            ]
        ),
        None,
    )


def _with(value: Any, key: str, odd: Any) -> Any:
    """``value`` with ``odd`` under every ``key``."""
    if isinstance(value, list):
        return [_with(each, key, odd) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: odd if name == key else _with(each, key, odd) for name, each in value.items()}


def _keys(value: Any) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(_keys, value))
    if not isinstance(value, dict):
        return set()
    return set(value).union(*map(_keys, value.values()))


@pytest.mark.parametrize("odd", [[], {}, [[]], 0], ids=repr)
@pytest.mark.parametrize("name", records())
def test_a_value_of_another_kind_under_any_key_raises_nothing(name: str, odd: Any) -> None:
    lines = records()[name]
    for key in sorted(_keys(lines)):
        found = outcome(as_bytes(_with(lines, key, odd)))
        assert isinstance(found, list) or "\n" not in found
