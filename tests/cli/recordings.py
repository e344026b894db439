"""Small invented recordings for the tests of the command line."""

import json


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def prompt(text):
    return {"role": "user", "message": {"content": [{"type": "text", "text": text}]}}


def answer(text, *calls):
    blocks = [{"type": "text", "text": text}]
    blocks += [{"type": "tool_use", "name": name, "input": given} for name, given in calls]
    return {"role": "assistant", "message": {"content": blocks}}


TRANSCRIPT = lines(
    prompt("<user_query>\nfirst question\n</user_query>"),
    answer("reading é", ("Read", {"path": "/w/a.py"}), ("Shell", {"command": "ls"})),
    {"type": "turn_ended", "status": "success"},
    prompt("<user_query>\nsecond question\n</user_query>"),
    answer("greping", ("Grep", {"pattern": "x"})),
    {"type": "turn_ended", "status": "error", "error": "out of luck"},
)


def many_turns(count):
    turn = (prompt("again"), answer("text", ("Read", {"path": "/w/a.py"})))
    return lines(*turn * count)
