"""Todos and plans (replay facts 3.10), with every status counted and merges folded."""

from cursor_replay.items import Json
from cursor_replay.lenient import Flag, Objects, Text, as_int, as_objects, as_text
from cursor_replay.normalize.bounds import bounded, brief, heading, plural
from cursor_replay.normalize.tools.activity import activity
from cursor_replay.normalize.tools.spec import Arguments, Call, Draft, named, present

_MARKS = {"completed": "✓", "inProgress": "…", "pending": "○", "cancelled": "✗"}
_STATUS = {
    "inprogress": "inProgress", "completed": "completed", "pending": "pending",
    "cancelled": "cancelled", "canceled": "cancelled",
}  # fmt: skip
_WORDS = (("inProgress", "in progress"), ("pending", "pending"), ("cancelled", "cancelled"))

Todos = tuple[dict[str, Json], ...]


class TodoArgs(Arguments):
    """``TodoWrite`` and the SDK's ``updateTodos``; ``merge`` true is a patch, not the list."""

    todos: Objects = named("todos", "items")
    merge: Flag = named("merge")


def update_todos(call: Call) -> Draft:
    """The todo list after this call."""
    args = TodoArgs.read(call.args)
    reported = call.result.get("todos")
    source = as_objects(reported) if isinstance(reported, list) else (args.todos or [])
    merging = args.merge is True and not isinstance(reported, list)
    todos = _merged(call.todos, source) if merging else tuple(source)
    summary, counts = _progress(call, todos)
    rows = _rows(todos)
    body = "\n".join(rows) if rows else call.fallback() if call.done else ""
    return activity(
        call,
        title="Cursor todos",
        header="updateTodos",
        body=bounded(body),
        summary=summary,
        arguments=counts,
        todos=todos,
    )


def _merged(before: Todos, patch: list[dict[str, Json]]) -> Todos:
    """Fold a merge call into the list: by id, new ones at the end."""
    held = {as_text(each.get("id")) or f"#{i}": each for i, each in enumerate(before)}
    for i, each in enumerate(patch):
        key = as_text(each.get("id")) or f"+{len(held)}{i}"
        held[key] = {**held.get(key, {}), **each}
    return tuple(held.values())


def _status(todo: dict[str, Json]) -> str:
    raw = as_text(todo.get("status")) or ""
    plain = raw.removeprefix("TODO_STATUS_").replace("_", "").replace("-", "").lower()
    return _STATUS.get(plain, raw)


def _rows(todos: Todos) -> list[str]:
    rows = []
    for todo in todos:
        content = as_text(todo.get("content")) or as_text(todo.get("id"))
        if content is not None:
            status = _status(todo)
            rows.append(f"{_MARKS.get(status, '•')} {content}" + (f" ({status})" if status else ""))
    return rows


def _progress(call: Call, todos: Todos) -> tuple[str | None, dict[str, Json]]:
    """``C/T completed, N in progress…`` and the counts; only a total when no item is known."""
    listed = [t for t in todos if as_text(t.get("content")) or as_text(t.get("id"))]
    recorded = (as_int(call.result.get("totalCount")), as_int(call.args.get("totalCount")))
    total = next((each for each in recorded if each is not None), len(listed))
    if not listed:
        return plural(total, "item"), {"totalCount": total}
    states = [_status(todo) for todo in listed]
    counts = {name: states.count(name) for name in _MARKS}
    words = [f"{counts['completed']}/{total} completed"]
    words += [f"{counts[name]} {word}" for name, word in _WORDS if counts[name]]
    arguments: dict[str, Json] = {
        "totalCount": total,
        "completedCount": counts["completed"],
        "inProgressCount": counts["inProgress"],
        "pendingCount": counts["pending"],
    }
    if counts["cancelled"]:
        arguments["cancelledCount"] = counts["cancelled"]
    return ", ".join(words), arguments


class PlanArgs(Arguments):
    """``CreatePlan`` and the SDK's ``createPlan`` (which keeps the plan text alone)."""

    plan: Text = named("plan")
    name: Text = named("name")
    overview: Text = named("overview")


def create_plan(call: Call) -> Draft:
    """A plan: its text, else its todos."""
    args = PlanArgs.read(call.args)
    plan = args.plan or as_text(call.result.get("plan")) or ""
    todos = tuple(as_objects(call.args.get("todos")) or as_objects(call.result.get("todos")))
    first = next((line.strip() for line in plan.split("\n") if line.strip()), "")
    title = brief(args.name or first) if args.name or first else None
    progress, counts = _progress(call, todos)
    uri = as_text(call.result.get("planUri"))
    saved = f"Saved: {uri.removeprefix('file://')}" if uri else ""
    parts = [args.overview or "", plan, "\n".join(_rows(todos)), saved]
    body = heading(*(bounded(part) for part in parts), separator="\n\n")
    return activity(
        call,
        title="Cursor plan",
        header="createPlan",
        body=body or (call.fallback() if call.done else ""),
        summary=title or progress,
        arguments={**present(planTitle=title), **counts},
    )


def read_todos(call: Call) -> Draft:
    """The list as it was read back."""
    todos = tuple(as_objects(call.result.get("todos")))
    summary = _progress(call, todos)[0] if call.done and not call.failed else None
    body = "\n".join(_rows(todos)) or (call.fallback() if call.done else "")
    return activity(
        call, title="Cursor todos", header="readTodos", body=bounded(body), summary=summary
    )


class QuestionArgs(Arguments):
    """``AskQuestion``: the answer is not recorded in a transcript."""

    title: Text = named("title")
    questions: Objects = named("questions")


def ask_question(call: Call) -> Draft:
    """The questions with their options, and the answers where they are recorded."""
    args = QuestionArgs.read(call.args)
    questions = args.questions or []
    answers = {
        as_text(each.get("questionId") or each.get("id")): each
        for each in as_objects(call.result.get("answers"))
    }
    blocks = [_question(each, answers.get(as_text(each.get("id")))) for each in questions]
    first = next((t for each in questions if (t := as_text(each.get("prompt")))), None)
    summary = args.title or first
    return activity(
        call,
        title="Cursor question",
        header=heading("askQuestion", brief(args.title) if args.title else ""),
        body=bounded("\n\n".join(blocks)) or (call.fallback() if call.done else ""),
        summary=brief(summary) if summary else None,
        arguments=present(title=args.title, questionCount=len(questions) or None),
    )


def _question(question: dict[str, Json], answer: dict[str, Json] | None) -> str:
    chosen = _chosen(answer)
    rows = [as_text(question.get("prompt")) or as_text(question.get("id")) or "(no question)"]
    for option in as_objects(question.get("options")):
        label = as_text(option.get("label")) or as_text(option.get("id")) or "?"
        mark = "◉" if as_text(option.get("id")) in chosen or label in chosen else "○"
        rows.append(f"  {mark} {label}")
    free = as_text((answer or {}).get("freeformText")) or as_text((answer or {}).get("text"))
    return "\n".join([*rows, f"  answer: {free}"] if free else rows)


def _chosen(answer: dict[str, Json] | None) -> set[str | None]:
    if not answer:
        return set()
    many = answer.get("selectedOptionIds") or answer.get("optionIds") or []
    single = as_text(answer.get("selectedOptionId") or answer.get("optionId"))
    return {each for each in [*many, single] if isinstance(each, str)}
