"""Image bytes: kept where they are an image by their first bytes, told everywhere else."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.images import recorded_image
from cursor_replay.ingest.source import open_source
from cursor_replay.items import Card, Image, Prompt
from cursor_replay.pipeline import replay
from cursor_replay.render.registry import make

from .helpers_cases import card, item, ok

BYTES = {
    "image/png": b"\x89PNG\r\n\x1a\n" + bytes(20),
    "image/jpeg": b"\xff\xd8\xff\xe0" + bytes(20),
    "image/gif": b"GIF89a" + bytes(20),
    "image/webp": b"RIFF\x0c\x00\x00\x00WEBPVP8 " + bytes(20),
}


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


PNG = b64(BYTES["image/png"])
IMAGE = Image(mime_type="image/png", data=PNG)


@pytest.mark.parametrize("kind", BYTES)
def test_an_image_is_what_its_bytes_say(kind: str) -> None:
    data = b64(BYTES[kind])
    assert recorded_image(data) == Image(mime_type=kind, data=data)


@pytest.mark.parametrize("spelled", [f"data:image/gif;base64,{PNG}", f"{PNG[:8]}\n {PNG[8:]}\r\n"])
def test_an_address_and_broken_lines_are_read(spelled: str) -> None:
    assert recorded_image(spelled) == IMAGE


@pytest.mark.parametrize(
    "other",
    [
        None, 7, [], "", "AAAA", "not base64!", PNG[:-1], "=" * 8, b64(b"%PDF-1.7 and so on"),
        b64(b"RIFF\x0c\x00\x00\x00WAVE and so on"), b64(b"<svg onload='x()'/>"), "https://x/y.png",
    ],
)  # fmt: skip
def test_what_is_no_image_is_none(other: Any) -> None:
    assert recorded_image(other) is None


@given(st.text() | st.binary().map(b64))
def test_any_text_is_an_image_only_by_its_bytes(text: str) -> None:
    found = recorded_image(text)
    assert found is None or base64.b64decode(found.data, validate=True)


@pytest.mark.parametrize(
    "part",
    [{"image": {"data": PNG, "mimeType": "image/png"}}, {"type": "image", "data": PNG}],
    ids=["as the SDK has it", "as MCP has it"],
)
def test_an_mcp_result_keeps_its_images(part: dict[str, Any]) -> None:
    found = card("mcp", {"toolName": "shot"}, ok({"content": [{"text": {"text": "see"}}, part]}))
    assert found.images == (IMAGE,)
    assert "see" in found.text
    made = item("mcp", {"toolName": "shot"}, ok({"content": [{"text": {"text": "see"}}, part]}))
    assert made.images == (IMAGE,)


def test_a_generated_image_keeps_its_bytes() -> None:
    value = {"filePath": "a.png", "imageData": PNG}
    assert card("generateImage", {"prompt": "a gate"}, ok(value)).images == (IMAGE,)
    assert card("generateImage", {"prompt": "a gate"}, ok({"imageData": "AAAA"})).images is None


def items(tmp_path: Any, *records: Any) -> list[Any]:
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    source = open_source(str(path))
    return [each.item for each in replay(source)]


PI = {
    "type": "session",
    "version": 3,
    "id": "s",
    "timestamp": "2026-06-01T08:00:00.000Z",
    "cwd": "/",
}


def entry(identity: str, parent: str | None, **message: Any) -> dict[str, Any]:
    return {"type": "message", "id": identity, "parentId": parent, "message": message}


def test_a_pi_session_keeps_the_images_of_prompts_and_results(tmp_path: Any) -> None:
    block = {"type": "image", "data": PNG, "mimeType": "image/jpeg"}
    said = {"type": "toolCall", "id": "c", "name": "read", "arguments": {"path": "a.png"}}
    found = items(
        tmp_path,
        PI,
        entry("1", None, role="user", content=[{"type": "text", "text": "look"}, block]),
        entry("2", "1", role="assistant", content=[said], stopReason="toolUse"),
        entry("3", "2", role="toolResult", toolCallId="c", content=[block], isError=False),
    )
    assert [each.images for each in found if isinstance(each, Prompt | Card)] == [(IMAGE,)] * 2


def test_a_prompt_of_acp_keeps_its_images(tmp_path: Any) -> None:
    block = {"type": "image", "data": PNG, "mimeType": "image/png"}
    params = {"sessionId": "s", "prompt": [{"type": "text", "text": "look"}, block]}
    (asked,) = [
        each
        for each in items(
            tmp_path, {"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": params}
        )
        if isinstance(each, Prompt)
    ]
    assert asked.images == (IMAGE,)


@pytest.mark.parametrize("output", ["text", "markdown", "terminal"])
def test_other_outputs_tell_of_an_image_and_never_show_its_bytes(
    output: str, tmp_path: Any
) -> None:
    content = [{"text": {"text": "see"}}, {"image": {"data": PNG}}]
    call = {
        "type": "tool_call", "agent_id": "a", "run_id": "r", "call_id": "c", "name": "mcp",
        "status": "completed", "args": {"toolName": "shot"},
        "result": {"status": "success", "value": {"content": content}},
    }  # fmt: skip
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps(call) + "\n", encoding="utf-8")
    renderer = make(output, expand=True)
    text = "".join(renderer.render(each) for each in replay(open_source(str(path))))
    assert "[image: image/png, 28 bytes]" in text.replace("\\", "")
    assert PNG[:12] not in text
