"""What a replayed session may never do: run, read or change anything."""

import base64
import hashlib
import json
import re

import pytest
from handmade import call_id
from realpi import EXTENSION, OTHER_OWNER, SCRIPTED_MODEL, another_version, cards_of

MODEL = {"type": "set_model", "provider": "scripted", "modelId": "one"}
DETAILS = {"exit": 3, "where": "recorded"}


@pytest.fixture
def asked(pi):
    """Let a scripted model make calls in a session, and return the results by call id."""

    def ask(session, *calls, extensions=(EXTENSION,), settings=None, tools=(), **env):
        scripted = {"SCRIPTED_CALLS": json.dumps(calls), "SCRIPTED_TOOLS": json.dumps(tools), **env}
        opened = pi.started(
            session, extensions=[*extensions, SCRIPTED_MODEL], env=scripted, settings=settings
        )
        with opened as running:
            running.request(MODEL)
            running.prompt("go on")
            return running.results()

    return ask


def call(identity, name, **arguments):
    return {"id": identity, "name": name, "arguments": arguments}


def words(result):
    return "\n".join(block["text"] for block in result["content"] if block["type"] == "text")


def files(folder):
    """Every file of a folder with the hash of its content."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


@pytest.fixture
def place(tmp_path):
    """A folder with a file in it, for calls that would change it."""
    (tmp_path / "place").mkdir()
    (tmp_path / "place" / "kept.txt").write_text("two\n", "utf-8")
    return tmp_path / "place"


def changing(place, tool):
    """Arguments that make a tool change a file."""
    return {
        "bash": {"command": f"touch {place}/ran"},
        "write": {"path": f"{place}/ran", "content": "ran"},
        "edit": {"path": f"{place}/kept.txt", "edits": [{"oldText": "two", "newText": "TWO"}]},
    }[tool]


CHANGING = ("bash", "write", "edit")


def test_replayed_calls_are_answered_from_the_recording_and_nothing_runs(
    session, asked, place, tmp_path
):
    session.user("Begin")
    for number, tool in enumerate(CHANGING):
        session.call(number, tool, changing(place, tool)).result(number, tool, f"recorded {tool}")
    path = session.write(tmp_path)
    before = files(place)

    calls = [call(call_id(n), t, **changing(place, t)) for n, t in enumerate(CHANGING)]
    results = asked(path, *calls)

    assert [words(results[call_id(n)]) for n in range(3)] == [f"recorded {t}" for t in CHANGING]
    assert [results[call_id(n)]["isError"] for n in range(3)] == [False] * 3
    assert files(place) == before


def test_replayed_calls_without_a_recorded_result_fail_and_nothing_runs(
    session, asked, place, tmp_path
):
    path = session.user("Begin").write(tmp_path)
    before = files(place)

    calls = [call(call_id(n), t, **changing(place, t)) for n, t in enumerate(CHANGING)]
    results = asked(path, *calls, call(call_id(9), "read", path=f"{place}/kept.txt"))

    for number in (0, 1, 2, 9):
        result = results[call_id(number)]
        assert result["isError"]
        assert words(result) == f"No recorded result for {call_id(number)}; nothing was executed"
    assert files(place) == before


def test_without_the_extension_pi_would_run_a_replayed_call(session, asked, place, tmp_path):
    path = session.user("Begin").write(tmp_path)

    asked(path, call(call_id(1), "bash", **changing(place, "bash")), extensions=())

    assert (place / "ran").exists()


def test_a_recorded_error_stays_an_error_with_its_details(session, asked, place, tmp_path):
    arguments = changing(place, "bash")
    session.user("Begin").call(1, "bash", arguments)
    path = session.result(1, "bash", "no\nsuch", details=DETAILS, error=True).write(tmp_path)

    result = asked(path, call(call_id(1), "bash", **arguments))[call_id(1)]

    assert (result["isError"], words(result), result["details"]) == (True, "no\nsuch", DETAILS)
    assert not (place / "ran").exists()


def test_calls_that_are_not_replayed_are_run_by_pi(session, asked, place, tmp_path):
    path = session.user("Begin").write(tmp_path)

    (place / "other.txt").write_text("three\n", "utf-8")
    calls = [call(f"toolu_{n}", t, **changing(place, t)) for n, t in enumerate(("bash", "edit"))]
    results = asked(path, *calls, call("cursor-pi-bridge-0-t1", "read", path=f"{place}/other.txt"))

    assert not any(results[identity]["isError"] for identity in results)
    assert (place / "ran").exists()
    assert (place / "kept.txt").read_text("utf-8") == "TWO\n"
    assert words(results["cursor-pi-bridge-0-t1"]) == "three\n"


def test_delegated_calls_obey_the_settings_of_pi(session, asked, tmp_path):
    path = session.user("Begin").write(tmp_path)

    results = asked(
        path,
        call("toolu_1", "bash", command="echo $PREFIXED"),
        settings={"shellCommandPrefix": "PREFIXED=yes"},
    )

    assert words(results["toolu_1"]).strip() == "yes"


@pytest.mark.parametrize(
    "switch", ["PI_CURSOR_REGISTER_NATIVE_TOOLS", "PI_CURSOR_NATIVE_TOOL_DISPLAY"]
)
def test_replayed_calls_do_not_run_where_the_wrappers_are_switched_off(
    session, asked, place, tmp_path, switch
):
    arguments = changing(place, "bash")
    session.user("Begin").call(1, "bash", arguments).result(1, "bash", "recorded")
    path = session.write(tmp_path)

    results = asked(path, call(call_id(2), "bash", **arguments), **{switch: "0"})

    assert results[call_id(2)]["isError"]
    assert "nothing was executed" in words(results[call_id(2)])
    assert not (place / "ran").exists()


@pytest.mark.parametrize("extensions", [(EXTENSION, OTHER_OWNER), (OTHER_OWNER, EXTENSION)])
def test_replayed_calls_do_not_reach_the_tools_of_another_extension(
    session, asked, tmp_path, extensions
):
    path = session.user("Begin").write(tmp_path)

    results = asked(
        path,
        call(call_id(1), "bash", command="true"),
        call("toolu_1", "bash", command="true"),
        extensions=extensions,
    )

    assert "nothing was executed" in words(results[call_id(1)])
    assert words(results["toolu_1"]) == "the other bash ran"


@pytest.mark.parametrize("turned", [False, True])
def test_two_copies_answer_a_replayed_call_once_and_run_nothing(
    session, pi, place, tmp_path, turned
):
    arguments = changing(place, "bash")
    session.user("Begin").call(1, "bash", arguments).result(1, "bash", "recorded")
    session.call(3, "bash", arguments)
    path = session.result(3, "bash", "no", details=DETAILS, error=True).write(tmp_path)
    copies = [EXTENSION, another_version(tmp_path)]
    extensions = [*(copies[::-1] if turned else copies), SCRIPTED_MODEL]
    calls = [call(call_id(number), "bash", **arguments) for number in (1, 2, 3)]
    calls += [
        call(call_id(4), "ls", path=str(place)),
        call("toolu_1", "read", path=f"{place}/kept.txt"),
    ]

    with pi.started(
        path,
        extensions=extensions,
        env={"SCRIPTED_CALLS": json.dumps(calls), "SCRIPTED_TOOLS": '["ls"]'},
    ) as running:
        for _ in range(2):  # the second time in a session that was switched to
            running.request(MODEL)
            running.prompt("go on")
            results = running.results()
            running.request({"type": "new_session"})
            running.request({"type": "switch_session", "sessionPath": str(path)})
            assert words(results[call_id(1)]) == "recorded"
            assert words(results[call_id(2)]).startswith("No recorded result")
            assert (words(results[call_id(3)]), results[call_id(3)]["details"]) == ("no", DETAILS)
            assert words(results[call_id(4)]).startswith("No recorded result")
            assert words(results["toolu_1"]) == "two\n"
    assert not (place / "ran").exists()


def test_the_cursor_tool_is_not_offered_and_refuses_foreign_calls(session, asked, tmp_path):
    path = session.user("Begin").write(tmp_path)
    foreign = call("toolu_1", "cursor", activityTitle="x")

    unknown = asked(path, foreign)["toolu_1"]
    refused = asked(path, foreign, tools=["cursor"])["toolu_1"]

    assert unknown["isError"]
    assert words(unknown) == "Tool cursor not found"
    assert refused["isError"]
    assert words(refused) == "cursor is display-only; nothing was executed"


def test_an_active_cursor_tool_answers_from_the_recording(session, asked, tmp_path):
    session.user("Begin").call(1, "cursor", {"activityTitle": "Cursor MCP"})
    path = session.result(1, "cursor", "boom", details=DETAILS, error=True).write(tmp_path)

    result = asked(path, call(call_id(1), "cursor"), tools=["cursor"])[call_id(1)]

    assert (result["isError"], words(result), result["details"]) == (True, "boom", DETAILS)


def test_the_tools_offered_to_a_model_are_those_of_pi_alone(session, pi, tmp_path):
    path = session.user("Begin").write(tmp_path)
    offered = []
    for extensions in ((), (EXTENSION,), (EXTENSION, another_version(tmp_path))):
        target = tmp_path / f"tools-{len(extensions)}.html"
        with pi.started(path, extensions=extensions) as running:
            export = {"type": "export_html", "outputPath": str(target)}
            for _ in range(2):  # the second time in a session that was switched to
                running.request(export)
                offered.append(tools_in(target))
                running.request({"type": "switch_session", "sessionPath": str(path)})

    assert offered == [["read", "bash", "edit", "write"]] * 6


def tools_in(html):
    found = re.search(r'id="session-data"[^>]*>([^<]*)<', html.read_text("utf-8"))
    return [tool["name"] for tool in json.loads(base64.b64decode(found[1]))["tools"]]


def test_looking_at_a_session_changes_no_file(session, pi, screen, tmp_path):
    place = pi.workspace
    (place / "kept.txt").write_text("two\n", "utf-8")
    session.user("Begin")
    for number, tool in enumerate(CHANGING):
        session.call(number, tool, changing(place, tool)).result(number, tool, "ok")
        session.call(10 + number, tool, changing(place, tool))
    path = session.said("Finished").write(tmp_path)
    before = {**files(place), **files(tmp_path)}

    shown = cards_of(screen(path, expanded=True))
    pi.rpc(path, {"type": "get_messages"}, {"type": "get_session_stats"})
    pi.export_html(path)

    assert shown.count("[outcome not recorded]") == 3
    assert {**files(place), **files(tmp_path)} == before
