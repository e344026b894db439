"""Cases 142 to 145 of the replay facts: details on the reading side (3.18)."""

import pytest

from cursor_replay.items import Activity, GenericFallback, NativeEdit, NativeWrite
from cursor_replay.normalize.details import read_details


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"path": "a.py"}, id="case-142 no variant"),
        pytest.param({"variant": "edit", "path": "a.py"}, id="case-142 an unknown variant"),
        pytest.param(
            {"variant": ["activity"], "title": "x"}, id="case-142 a variant of another type"
        ),
        pytest.param(None, id="case-142 nothing"),
        pytest.param("activity", id="case-142 a text"),
        pytest.param({"variant": "activity", "title": "  "}, id="3.18 a blank title"),
        pytest.param({"variant": "activity"}, id="3.18 no title"),
        pytest.param({"variant": "constructor", "title": "x"}, id="own keys only"),
    ],
)
def test_what_has_no_known_variant_has_no_details(value):
    assert read_details(value) is None


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        pytest.param(None, "unregisteredActivity", id="case-143 no source"),
        pytest.param("mystery", "unregisteredActivity", id="3.18 an unknown source"),
        pytest.param("generateImage", "unregisteredActivity", id="3.18 an image is no activity"),
        pytest.param(7, "unregisteredActivity", id="3.18 a source of another type"),
        pytest.param("mcp", "mcp", id="3.18 a known source"),
    ],
)
def test_an_activity_keeps_a_known_source_only(source, kept):
    value = {"variant": "activity", "title": "Cursor MCP"}
    value |= {} if source is None else {"sourceToolName": source}
    assert read_details(value) == Activity(title="Cursor MCP", source_tool_name=kept)


def test_case_144_extra_fields_are_dropped():
    edit = {"variant": "nativeEdit", "path": "a", "title": "x", "extra": 1}
    assert read_details(edit) == NativeEdit(path="a")
    write = {"variant": "nativeWrite", "path": "a", "title": "x", "linesCreated": 2}
    assert read_details(write) == NativeWrite(path="a", lines_created=2)


def test_case_145_a_fallback_that_names_edit_stays_a_fallback():
    value = {"variant": "genericFallback", "sourceToolName": "edit", "summary": "x"}
    assert read_details(value) == GenericFallback(source_tool_name="edit", summary="x")
    assert read_details({"variant": "genericFallback"}) == GenericFallback(source_tool_name="tool")


def test_a_field_of_the_wrong_type_is_absent_and_the_rest_is_kept():
    value = {"variant": "nativeEdit", "path": 5, "linesAdded": True, "summary": "s"}
    assert read_details(value) == NativeEdit(summary="s")
