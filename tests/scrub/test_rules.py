"""The rules against their own examples, the reference table, decoys, and hostile repetition."""

import base64
import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cursor_replay.scrub import RULES, Rule, clean
from cursor_replay.scrub.known import is_telling
from cursor_replay.scrub.mask import folded, mask
from cursor_replay.scrub.rules.rule import spans
from cursor_replay.scrub.sensitive import is_sensitive
from cursor_replay.scrub.triggers import may_change

BODY = "A1b2C3" * 6
HEX = "0a1b2c3d" * 4

HITS = [
    pytest.param(*pair, id=f"{rule.id}-{n}") for rule in RULES for n, pair in enumerate(rule.hits)
]
MISSES = [
    pytest.param(text, id=f"{rule.id}-{n}") for rule in RULES for n, text in enumerate(rule.misses)
]


@pytest.mark.parametrize(("before", "after"), HITS)
def test_a_rule_masks_its_true_positives_and_nothing_around_them(before, after):
    assert mask(before) == after
    assert mask(after) == after


@pytest.mark.parametrize("text", MISSES)
def test_a_rule_leaves_its_false_positives_alone(text):
    assert mask(text) == text


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_has_examples_which_it_finds_itself(rule: Rule):
    assert rule.hits
    assert any(list(spans(rule, before, folded(before))) for before, _ in rule.hits)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_keyword_occurs_in_every_hit_of_its_rule(rule: Rule):
    for before, _ in rule.hits:
        assert any(word in before or word in before.lower() for word in rule.keywords)
        assert may_change(before)


def test_rule_ids_are_unique():
    assert len({rule.id for rule in RULES}) == len(RULES)


BASIC = "dXNlcjpw" + "YXNz"

CASE_183 = [
    ("Authorization: Bearer secret", "Authorization: Bearer [redacted]"),
    (f"authorization: Basic {BASIC}", "authorization: Basic [redacted]"),
    ('{"cookie": "x"}', '{"cookie": "[redacted]"}'),
    ("set-cookie: q=1", "set-cookie: [redacted]"),
    ("Cookie: a=b; c=d\nnext", "Cookie: [redacted]\nnext"),
    ("token=abc,def", "token=[redacted],def"),
    ("api_key=abc&x=1", "api_key=[redacted]&x=1"),
    ('{"token":null}', '{"token":null}'),
    ("token = 'abc def'", "token = '[redacted]'"),
    ("tokens: 5", "tokens: 5"),
    ("token budget: 5", "token budget: 5"),
    ("tokenizer: foo", "tokenizer: foo"),
    ("session: abc", "session: abc"),
    ("git@github.com:o/r.git", "git@github.com:o/r.git"),
    ("user:pw@host:path", "[redacted]@host:path"),
    ("mailto:joe@x.com", "mailto:[redacted]"),
    ("12:30@home", "12:30@home"),
    ("password=hunter2", "password=[redacted]"),
    ("secret: x", "secret: [redacted]"),
    ("/home/joe/x", "~/x"),
    ("joe@example.com", "joe@example.com"),
]


@pytest.mark.parametrize(("before", "after"), CASE_183, ids=[f"case 183: {c[0]}" for c in CASE_183])
def test_the_table_of_the_reference_holds_without_its_leaks_and_damages(before, after):
    assert mask(before) == after


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://127.0.0.1:49152/cursor-pi-tool-bridge/abc-123/mcp",
        "/cursor-pi-tool-bridge/abc-123/mcp",
        "127.0.0.1:49152/cursor-pi-tool-bridge/abc-123/mcp",
    ],
)
def test_a_bridge_endpoint_is_replaced_exactly_in_each_form_case_179(endpoint):
    assert mask(f"at {endpoint} now") == "at [redacted-bridge-endpoint] now"


def test_three_secrets_in_one_text_leave_three_marks_case_180():
    key = "fake-" + "key-1"
    text = f"Bearer {key} api_key={key} http://localhost:1/cursor-pi-tool-bridge/{key}/mcp"
    assert mask(text) == "Bearer [redacted] api_key=[redacted] [redacted-bridge-endpoint]"


def test_user_info_with_an_at_sign_in_the_password_keeps_only_the_host_case_181():
    assert mask("https://u:p@" + "ss1@host.example/x") == "https://[redacted]@host.example/x"
    assert mask("scp u:p@" + "ss1@host.example:x .") == "scp [redacted]@host.example:x ."


SHAPES = [
    "ghp_" + BODY,
    "github_" + "pat_" + BODY,
    "sk-" + "proj-" + BODY,
    "sk-" + "ant-api03-" + BODY,
    "sk-" + BODY,
    "key_" + HEX,
    "crsr_" + BODY,
    "AI" + "za" + BODY,
    "xox" + "b-1234567890-" + BODY,
    "sk_" + "live_" + BODY,
    "gl" + "pat-" + BODY,
    "npm_" + BODY,
    "pypi-" + BODY,
    "hf_" + BODY,
    f"SG.{BODY}.{BODY}",
    "AK" + "IA" + "A2B3" * 4,
    "SK" + HEX,
    f"ey{'J'}{BODY}.ey{'J'}{BODY}.{BODY}",
]


@pytest.mark.parametrize("secret", SHAPES, ids=[shape[:7] for shape in SHAPES])
@pytest.mark.parametrize("form", ["{}", "I used {} here.", "curl -d '{}' x", '{{"a":"b\\n{}"}}'])
def test_a_vendor_secret_is_masked_in_prose_commands_and_json(secret, form):
    assert mask(form.format(secret)) == form.format("[redacted]")


def test_secrets_glued_to_each_other_are_masked_as_one():
    assert mask(("key_" + HEX) * 500) == "[redacted]"
    assert mask("key_" + HEX + "npm_" + BODY) == "[redacted]"


def test_a_slack_webhook_keeps_its_host():
    url = "https://hooks.slack.com/" + "services/T000/B000/" + BODY
    assert mask(url) == "https://hooks.slack.com/services/[redacted]"


DECOYS = [
    "commit " + "0123456789abcdef0123456789abcdef01234567",
    "123e4567-e89b-12d3-a456-426614174000",
    "max_token: 4096",
    "/srv/key-value-store-0123456789abcdef0123456789abcdef/x",
    '{"sk-spinner": 1, "task-id": "disk-1234567890123456"}',
    "npm_config_registry=https://registry.npmjs.org/",
    "key_points and monkey: banana",
    "sha256-" + "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "const token = process.env.TOKEN ?? getToken();",
    "def login(user: str, password: str, *, token: Optional[str] = None) -> None:",
    "The password: it must be long. A secret: none. The API key: see below.",
    "[REDACTED]",
]


@pytest.mark.parametrize("text", DECOYS)
def test_a_decoy_stays_as_it_is(text):
    assert mask(text) == text


values = st.one_of(
    st.text(max_size=30),
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
)
names = st.sampled_from(["token", "api_key", "password", "cookie", "authorization", "x", "secret"])


@given(st.dictionaries(names, values), st.booleans())
def test_json_stays_json(document, escaped):
    text = json.dumps(document, ensure_ascii=escaped)
    assert json.loads(mask(text)).keys() == document.keys()


@given(st.dictionaries(names, st.text("ab1\\\" '", max_size=12)))
def test_json_in_json_stays_json(document):
    masked = json.loads(mask(json.dumps({"a": json.dumps(document)})))
    assert masked.keys() == {"a"}


@given(
    st.sampled_from(["token=", "PASSWORD=", "password: ", "api_key="]),
    st.text("ab1'`\" ,}", max_size=8),
    st.integers(1, 3),
)
def test_json_stays_json_where_a_quote_inside_is_never_closed(name, value, depth):
    text = json.dumps({"cmd": f"export {name}'{value}", "exit": 0})
    for _ in range(depth - 1):
        text = json.dumps({"in": text, "exit": 0})
    assert json.loads(mask(text))["exit"] == 0


@pytest.mark.parametrize(
    "colour", [r"\u001b[32m", r"\x1b[1m", r"\033[0;32m", r"\e[0m", "[32m", "[38;5;208m", r"\e[m"]
)
def test_a_colour_written_as_text_does_not_hide_a_token(colour):
    assert mask(f"{colour}{SHAPES[0]}{colour} x") == f"{colour}[redacted]{colour} x"
    assert mask(f"{colour}/home/joe/x") == f"{colour}~/x"


@pytest.mark.parametrize(
    "name", ["X509Credential", "kEnumerableProperty", "SignatureV4SignWithCredentials"]
)
def test_an_identifier_is_not_looked_for_wherever_it_stands(name):
    assert not is_telling(name)
    assert is_telling("zk7Qm2" + "Lx9TbR4w")


@pytest.mark.parametrize("name", ["DB_PASS", "TOKEN_1", "privateKeyPem", "subscription-key"])
def test_a_name_of_the_text_rules_is_sensitive_in_json_too(name):
    assert is_sensitive(name)
    assert not is_sensitive("bypass")


def test_letters_that_grow_when_lowered_do_not_shift_the_mask():
    assert mask("İİİ password=hunter2 İ") == "İİİ password=[redacted] İ"


UNITS = [
    *(
        "a",
        "a@",
        "://",
        '"',
        " ",
        "=",
        "-",
        "--",
        "_",
        "/",
        ":",
        "\\",
        "&",
        "a:b",
        "\n",
        "A",
        "eyJ",
    ),
    *("token=", 'token="', "token=(", "password: ", "cookie: ", "api key", "--token ", "token: a"),
    *("://a:", "a:b@", "sk-", "sk-a", "xoxb-.", "/home/a", "C:\\Users\\a ", ".cursor/projects/"),
    *("-----BEGIN PRIVATE KEY-----", "/cursor-pi-tool-bridge/", "authorization: digest a"),
    *(
        "-----END PRIVATE KEY-----",
        "A1b2C3A1b2C3A1b2C3\n",
        "a-1-A1b2C3A1b2C3A1b2C3 ",
        ":AA",
        "\n-sk-a",
    ),
    *(
        "A1b2C3A1b2C3A1b2C3\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\na-1-",
        "a:1:",
    ),
    *(
        'cookie", ',
        'cookie,a="',
        "[cookie, a=",
        'token" value=',
        "token={ ",
        'token", "',
        "--token, a",
    ),
    *(
        "machine a login b ",
        "machine a ",
        "12345678:AA",
        "`token=",
        "-----END PRIVATE KEY-----\na1 ",
    ),
    # Other spellings, and signs that are looked behind of.
    *(
        "ghp_ab12\n",
        "ghp_1a2b\\n",
        "sk-aa\n+",
        "%3D",
        "%2Ftoken%3D",
        "\\u005f",
        "Z2hwX",
        "Z2hwXabcd \n",
    ),
    *("curl -u a:b ", "mysql -p", "docker login -p ", "a@b.co ", "a@", "dp.pt.", "access_token$"),
    *("token='a\" ", 'token=`a", ', "| token | ", "_KEY=", 'cookies=[{"', 'secrets=["a", '),
    *("\tTRUE\t/\tTRUE\t1\ta\tb", "curl -b a", ";pwd={", "identified by '", "%2Fhome%2F", "[32m"),
    *("-----BEGIN PRIVATE KEY-----\n12 | ", "-----BEGIN PRIVATE KEY-----A: b\n", "ghp_a1\\\n1\t"),
    *(
        'auth=("a", "',
        'cookie("a", "',
        '("token", "',
        "cookie(",
        "cookies[",
        "define(",
        "new pdo('a', '",
    ),
    *(
        "&quot;",
        "&#65;",
        "\\x41",
        "[U+202E]a",
        "a\u200d",
        "%41",
        "gh\np_",
        "s\nk-",
        "SK\n",
        "pat\nA1b2C3A1b2C3",
    ),
    *(
        "password: |\n  a\n",
        "password: |\n  a\n  b",
        "echo a | ",
        "echo a | sudo -",
        "redis-cli AUTH ",
    ),
    *(
        "requirepass a\n",
        "requirepass ",
        "kubectl --from-literal=a=",
        "npm config set a",
        "openssl a ",
    ),
    *(
        '"set-cookie": ["a=b", ',
        "htpasswd -b a ",
        "sqlplus a/",
        "app_key=",
        "https:/a:",
        ";uid=a;pwd={",
    ),
    *("eyJa.", "-us1", ".atlasv1.", "8Q~", "[redacted:token]", "[redacted", "iVBORw0KGgo"),
    # Elements, programs, variables, statements and calls.
    *(
        "<password>",
        "<password a",
        "&lt;password&gt;",
        "<password><![cdata[",
        "<td>password</td><td>",
    ),
    *('<string name="password">', '<property name="a', '<input type="password" ', "<input a "),
    *("curl -u 'a:b ", "keytool -storepass ", "aws ssm put-parameter --name ", "sudo -S <<< "),
    *("kubectl create secret --from-literal='a=", "htpasswd -nb ", "echo 'a | ", "--token\n- "),
    *(
        "setenv token '",
        "token ?= ",
        'token="${a:-b',
        "set-item env:token ",
        " -pw ",
        "a -password ",
    ),
    *('identified by "', "set password for a ", 'variable "token" { default = ', "neo4j_auth=a/"),
    *(
        '.password("a',
        'networkcredential("a", "',
        'create_user("a", "b", "',
        '- name: token\n  value: "',
    ),
]


def _cost(text: str) -> float:
    best = 1.0
    for _ in range(3):
        start = time.process_time()
        clean(text)
        best = min(best, time.process_time() - start)
    return best + 0.002


@pytest.mark.parametrize("unit", UNITS)
def test_ten_times_the_text_costs_about_ten_times_the_work(unit):
    short, long = unit * (10_000 // len(unit)), unit * (100_000 // len(unit))
    assert _cost(long) < 30 * _cost(short)


@pytest.mark.parametrize("begin", ["eyJ", "gh" + "p_"])
@pytest.mark.parametrize("width", [6, 76])
def test_ten_times_the_rows_behind_a_prefix_cost_about_ten_times_the_work(begin, width):
    rows = [("A1b2C3d4" * 10)[:width]] * 20_000
    short, long = ("\n".join([begin + rows[0], *rows[:size]]) for size in (2_000, 20_000))
    assert _cost(long) < 30 * _cost(short)


def _spans_cost(rule: Rule, text: str) -> float:
    best = 9.0
    for _ in range(3):
        start = time.process_time()
        list(spans(rule, text, text))
        best = min(best, time.process_time() - start)
    return best + 0.002


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_linear_on_a_megabyte_of_one_letter(rule: Rule):
    for letter in {"a", rule.keywords[0][0].lower(), rule.keywords[0][-1]}:
        assert _spans_cost(rule, letter * 1_000_000) < 30 * _spans_cost(rule, letter * 100_000)


ALONE = [
    (rule.id, before) for rule in RULES for before, after in rule.hits if after == "[redacted]"
]


@pytest.mark.parametrize("token", [token for _, token in ALONE], ids=[name for name, _ in ALONE])
def test_a_token_right_behind_itself_is_masked_too(token):
    assert re.search("[A-Za-z0-9]{16}", mask(token + token)) is None
    assert re.search("[A-Za-z0-9]{16}", mask(token + "_" + token)) is None


@pytest.mark.parametrize("secret", SHAPES, ids=[shape[:7] for shape in SHAPES])
def test_a_token_at_the_start_of_a_removed_diff_line_is_masked(secret):
    diff = f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-{secret}\n+{secret}\n"
    masked = diff.replace(secret, "[redacted]")
    assert mask(diff) == masked
    assert mask(json.dumps({"diff": diff})) == json.dumps({"diff": masked})
    assert mask(json.dumps(json.dumps({"diff": diff}))) == json.dumps(json.dumps({"diff": masked}))


KEY_ROWS = [f"MII{n}" + BODY + "+/" + BODY for n in range(9)]
BEGIN, END = (f"-----{word} RSA PRIVATE " + "KEY-----" for word in ("BEGIN", "END"))


@pytest.mark.parametrize(
    "sep", ["{path}:{n}: ", "{path}-{n}- ", "{path}-{n}-", "{path}:{n}:", "{n}-"]
)
@pytest.mark.parametrize("path", ["k.pem", "some dir/k.pem", "a-1-b/k.pem"])
def test_rows_of_a_key_in_the_output_of_grep_are_masked_after_a_begin_line(sep, path):
    first = sep.replace("-", ":").format(path=path, n=1)
    rows = "\n".join(sep.format(path=path, n=n + 2) + row for n, row in enumerate(KEY_ROWS))
    masked = mask(f"{first}{BEGIN}\n{rows}\n--\nother.txt:3: plain words")
    assert not any(row in masked for row in KEY_ROWS)
    assert "other.txt:3: plain words" in masked


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\\n", "\\\\n", " ", "\n-", "\n+", "\n  12\t"])
def test_rows_of_a_key_that_end_in_an_end_line_are_masked_without_a_begin_line(newline):
    text = f"the file{newline}{newline.join(KEY_ROWS)}{newline}AbC={newline}{END}\nafter"
    masked = mask(text)
    assert not any(row in masked for row in KEY_ROWS)
    assert masked.startswith("the file")
    assert masked.endswith("[redacted]\nafter")


def test_an_end_line_of_a_key_alone_takes_nothing_with_it():
    assert mask(f"prose in front\n{END}\nprose") == f"prose in front\n{END}\nprose"


def test_an_inline_code_that_ends_in_an_operator_keeps_the_words_behind_it():
    assert mask("Set the `password=` option") == "Set the `password=` option"
    assert mask("Set `token:` or `secret=`, then go") == "Set `token:` or `secret=`, then go"
    assert mask("`password`: `hunter2x`") == "`password`: `[redacted]`"


@pytest.mark.parametrize(
    "text",
    [
        "sk-learn-based-model-name",
        "passwd:x:1000",
        "Cookie: choices of the site",
        "Cookie: choices",
    ],
)
def test_words_that_only_look_like_a_secret_stay(text):
    assert mask(text) == text


def test_base64_in_rows_is_read_as_a_whole():
    begin, end = (f"-----{word} PRIVATE " + "KEY-----" for word in ("BEGIN", "END"))
    key = "\n".join([begin, *KEY_ROWS, end])
    encoded = base64.encodebytes(key.encode()).decode()
    assert mask(f"$ base64 key\n{encoded}$") == "$ base64 key\n[redacted]\n$"
    run = base64.b64encode(f"export TOKEN={SHAPES[0]}".encode()).decode()
    assert mask(json.dumps({"o": f"a\n{run}"})) == json.dumps({"o": "a\n[redacted]"})


@pytest.mark.parametrize("word", ["x" * 36, "your-token-goes-here-1", "X" * 40])
def test_what_stands_for_a_token_in_an_example_stays(word):
    assert mask(f"export A=ghp_{word} sk-{word}") == f"export A=ghp_{word} sk-{word}"
    assert (
        mask("sk-ecdsa-sha2-nistp256@openssh.com AAAA") == "sk-ecdsa-sha2-nistp256@openssh.com AAAA"
    )


@pytest.mark.parametrize("front", ["\\u5bc6", "\\u2028", "\\ud83d\\udd11", "\\u201c"])
def test_a_token_behind_an_escaped_letter_is_masked(front):
    assert mask(f'"{front}{SHAPES[0]}"') == f'"{front}[redacted]"'


@pytest.mark.parametrize("space", ["\u200b", "\u2060", "\ufeff"])
def test_a_character_without_width_does_not_hide_a_token(space):
    assert clean(f"k {SHAPES[0][:9]}{space}{SHAPES[0][9:]}") == "k [redacted]"
