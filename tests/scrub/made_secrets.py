"""Made-up secrets of every shape that is known to be found, each a template.

``{A36}`` stands for 36 random characters of the alphabet ``A``, and what has to be masked is
written between guillemets (all of it without them). So no token-shaped string stands here.
"""

import random
import re
import string
import uuid

ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "L": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + "234567",
    "H": "0123456789abcdef",
    "D": string.digits,
    "W": string.ascii_letters + string.digits + "_-",
    "B": string.ascii_letters + string.digits + "+/",
}

SHAPES: dict[str, str] = {
    # model providers and agents
    "openai": "sk-{A48}",
    "openai-project": "sk-proj-{W74}T3{A4}FJ{W74}",
    "openai-service": "sk-svcacct-{W60}",
    "openai-admin": "sk-admin-{W60}",
    "anthropic": "sk-ant-api03-{W93}AA",
    "anthropic-oauth": "sk-ant-oat01-{W93}AA",
    "openrouter": "sk-or-v1-{H64}",
    "deepseek": "sk-{H32}",
    "cursor": "key_{H64}",
    "cursor-user": "crsr_{H64}",
    "groq": "gsk_{A52}",
    "xai": "xai-{A80}",
    "perplexity": "pplx-{A48}",
    "huggingface": "hf_{A34}",
    "replicate": "r8_{A37}",
    "nvidia": "nvapi-{W64}",
    "fireworks": "fw_{A24}",
    "langsmith": "lsv2_pt_{H32}_{H10}",
    "pinecone": "pcsk_{A6}_{A63}",
    "tavily": "tvly-{A32}",
    "firecrawl": "fc-{H32}",
    "elevenlabs": "sk_{H48}",
    "e2b": "e2b_{H40}",
    # code and packages
    "github": "ghp_{A36}",
    "github-app": "ghs_{A36}",
    "github-fine": "github_pat_{A22}_{A59}",
    "gitlab": "glpat-{W20}",
    "gitlab-deploy": "gldt-{W20}",
    "gitlab-runner": "glrt-{W20}",
    "gitlab-old-runner": "GR1348941{W20}",
    "bitbucket": "ATBB{A32}",
    "atlassian": "ATATT3xFfGF0{W180}",
    "npm": "npm_{A36}",
    "pypi": "pypi-AgEIcHlwaS5vcmc{W80}",
    "rubygems": "rubygems_{H48}",
    "crates": "cio{A32}",
    "nuget": "oy2{L43}",
    "docker": "dckr_pat_{W27}",
    "artifactory": "AKCp8{A68}",
    "clojars": "CLOJARS_{L60}",
    "sentry": "sntrys_eyJ{B80}_{A43}",
    "sentry-user": "sntryu_{H64}",
    "postman": "PMAK-{H24}-{H34}",
    "figma": "figd_{W40}",
    "linear": "lin_api_{A40}",
    "notion": "ntn_{D11}{A35}",
    "airtable": "pat{A14}.{H64}",
    "typeform": "tfp_{W44}_{A14}",
    "doppler": "dp.pt.{A43}",
    "grafana": "glsa_{A32}_{H8}",
    "grafana-cloud": "glc_{A60}",
    "newrelic": "NRAK-{U27}",
    "dynatrace": "dt0c01.{U24}.{U64}",
    "honeycomb": "hcaik_01{L56}",
    # clouds
    "aws-key-id": "AKIA{U16}",
    "aws-session-id": "ASIA{U16}",
    "aws-secret": "aws_secret_access_key = «{B40}»",
    "aws-secret-json": '"SecretAccessKey": "«{B40}»"',
    "aws-bedrock": "ABSK{B128}",
    "aws-session-token": "AWS_SESSION_TOKEN=«IQoJ{B200}»",
    "google": "AIza{W35}",
    "google-oauth": "ya29.{W80}",
    "google-secret": "GOCSPX-{W28}",
    "google-refresh": "1//0{W60}",
    "google-service-key-id": '"private_key_id": "«{H40}»"',
    "azure-storage": "AccountKey=«{B86}==»;",
    "azure-bus": "SharedAccessKey=«{B43}=»",
    "azure-sas": "https://acc.blob.core.windows.net/c?sv=2024-08-04&sp=r&sig=«{A40}%3D»",
    "azure-client": "{A3}8Q~{A34}",
    "digitalocean": "dop_v1_{H64}",
    "heroku": "HRKU-{A58}",
    "flyio": "FlyV1 «fm2_{B120}»",
    "vault": "hvs.{W90}",
    "vault-batch": "hvb.{W120}",
    "terraform": "{A14}.atlasv1.{W64}",
    "pulumi": "pul-{H40}",
    "planetscale": "pscale_tkn_{W43}",
    "supabase": "sbp_{H40}",
    "supabase-secret": "sb_secret_{W31}",
    "databricks": "dapi{H32}",
    "alibaba": "LTAI{A20}",
    "netlify": "nfp_{A40}",
    "tailscale": "tskey-auth-{A12}-{A32}",
    "aws-signature": "https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=«{H64}»",
    # chat, mail, money, shops
    "slack": "xoxb-{D12}-{D12}-{A24}",
    "slack-user": "xoxp-{D12}-{D12}-{D12}-{H32}",
    "slack-app": "xapp-1-A{U10}-{D13}-{H64}",
    "slack-webhook": "https://hooks.slack.com/services/«T{U8}/B{U8}/{A24}»",
    "discord-bot": "MT{A22}.{A6}.{W38}",
    "discord-webhook": "https://discord.com/api/webhooks/{D18}/«{W68}»",
    "teams-webhook": "https://corp.webhook.office.com/webhookb2/«{G}@{G}/IncomingWebhook/{H32}/{G}»",
    "telegram": "{D10}:«AA{W33}»",
    "twilio": "SK{H32}",
    "sendgrid": "SG.{W22}.{W43}",
    "mailgun": "key-{H32}",
    "mailchimp": "{H32}-us12",
    "brevo": "xkeysib-{H64}-{A16}",
    "stripe": "sk_live_{A24}",
    "stripe-restricted": "rk_live_{A99}",
    "stripe-webhook": "whsec_{A32}",
    "square": "sq0csp-{W43}",
    "paypal-braintree": "access_token$production${L16}${H32}",
    "shopify": "shpat_{H32}",
    "shopify-secret": "shpss_{H32}",
    "plaid": "access-sandbox-{G}",
    "easypost": "EZAK{A54}",
    "duffel": "duffel_live_{W43}",
    "age": "AGE-SECRET-KEY-1{U58}",
    "1password": "ops_eyJ{A250}",
    # protocols and names
    "jwt": "eyJ{A34}.eyJ{A80}.{W43}",
    "bearer": "Authorization: Bearer «{W40}»",
    "basic": "Authorization: Basic «dXNlcjpw{A16}»",
    "api-key-header": "x-api-key: «{A32}»",
    "cookie": "Cookie: «sid={A32}; theme=dark»",
    "set-cookie": "Set-Cookie: «sid={A32}; Path=/»",
    "postgres": "postgresql://app:«{A16}»@db.internal:5432/shop",
    "mongodb": "mongodb+srv://app:«{A16}»@c0.mongodb.net/x",
    "redis": "redis://:«{A24}»@127.0.0.1:6379/0",
    "amqp": "amqps://app:«{A16}»@mq.internal/vhost",
    "https-user": "https://deploy:«{A20}»@git.internal/r.git",
    "https-token": "https://«{A40}»@git.internal/r.git",
    "scp": "rsync app:«{A16}»@files.internal:/srv/x .",
    "env-lower": "db_password=«{A16}»",
    "env-upper": "STRIPE_CLIENT_SECRET=«{A24}»",
    "yaml-password": "password: «{A16}»",
    "json-api-key": '"api_key": "«{A32}»"',
    "flag": "deploy --token «{A32}» --yes",
    "flag-equals": "deploy --api-key=«{A32}»",
    "curl-user": "curl -u app:«{A16}» https://x.internal/",
    "mysql": "mysql -uroot -p«{A16}» shop",
    "sshpass": "sshpass -p «{A16}» ssh host",
    "docker-login": "docker login -u app -p «{A24}» registry.internal",
    "netrc": "machine git.internal login joe password «{A16}»",
    "npmrc": "//registry.internal/:_authToken=«{G}»",
    "dotnet": "Server=db;Database=x;User Id=sa;Password=«{A16}»;",
    "env-key": "OPENAI_KEY=«{A32}»",
    "json-app-key": '"appKey": "«{A32}»"',
    "passcode": "passcode: «{A12}»",
    "setenv": 'os.environ.setdefault("DB_PASSWORD", "«{A16}»")',
    "set-item": "localStorage.setItem('token', '«{A32}»')",
    "auth-pair": 'requests.get(url, auth=("app", "«{A16}»"))',
    "login-call": "server.login('app', '«{A16}»')",
    "fetch-cookie": '"cookie": "«sid={A32}; theme=dark»"',
    "cookie-call": 'res.cookie("sid", "«{A32}»", {httpOnly: true})',
    "cookie-item": "session.cookies['sid'] = '«{A32}»'",
    "cookie-object": 'http.Cookie{Name: "sid", Value: "«{A32}»"}',
    "cookie-curl": "curl -b '«sid={A32}»' https://x.internal/",
    "cookie-list": '"set-cookie": ["«sid={A32}; Path=/»"]',
    "cookie-jar": ".x.internal\tTRUE\t/\tTRUE\t1999999999\tsid\t«{A32}»",
    "go-dsn": "app:«{A16}»@tcp(10.0.0.1:3306)/shop",
    "libpq": "host=db user=app password=«{A16}» dbname=shop",
    "jdbc-query": "jdbc:postgresql://db/x?user=app&password=«{A16}»&ssl=true",
    "jdbc-oracle": "jdbc:oracle:thin:app/«{A16}»@db:1521",
    "odbc": "Driver={X};Server=db;Uid=app;Pwd={«{A16}»};",
    "redis-conf": "requirepass «{A16}»",
    "redis-address": "cache.internal:6380,password=«{A43}=»,ssl=True",
    "signalr": "Endpoint=https://x.service.signalr.net;AccessKey=«{B43}=»;Version=1.0;",
    "sql": "CREATE USER app IDENTIFIED BY '«{A16}»';",
    "mongo": "mongosh -u app -p «{A16}» shop",
    "ldap": "ldapsearch -x -D cn=app -w «{A16}» -b dc=x",
    "sqlcmd": "sqlcmd -S db -U sa -P «{A16}» -Q x",
    "openssl": "openssl enc -aes-256-cbc -pass pass:«{A16}» -in x",
    "kubectl": "kubectl create secret generic x --from-literal=pin=«{A16}»",
    "piped": "echo «{A16}» | docker login -u app --password-stdin",
    "powershell": "$env:API_TOKEN = '«{A32}»'",
    "docker-auth": '"auth": "«YXBwOn{A22}=»"',
    "table": "| password | «{A16}» |",
    "private-key": (
        "-----BEGIN {}PRIVATE KEY-----\n«{B64}\n{B64}\n{B32}»\n-----END {}PRIVATE KEY-----"
    ),
    "private-key-encrypted": (
        "-----BEGIN RSA {}PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{U32}\n\n"
        "«{B64}\n{B64}»\n-----END RSA {}PRIVATE KEY-----"
    ),
    "private-key-cut": "-----BEGIN OPENSSH {}PRIVATE KEY-----\n«{B70}\n{B70}»",
    "bridge": "http://127.0.0.1:49152/cursor-pi-tool-bridge/«{W22}»/mcp",
    "email": "«{L8}.{L6}@{L9}.com»",
    "home-linux": "/home/«{L9}»/shop/a.py",
    "home-mac": "/Users/«{L9}»/shop/a.py",
    "home-windows": "C:\\Users\\«{L9}»\\shop\\a.py",
    "home-drive": "/c:/Users/«{L9}»/shop/a.py",
    "home-uri": "file:///home/«{L9}»/shop/a.py",
    "home-slug": ".cursor/projects/home-«{L9}»-shop",
}  # fmt: skip


def filled(template: str, pick: random.Random) -> str:
    """Put random characters into a template."""

    def put(found: re.Match[str]) -> str:
        if found[0] == "{G}":
            return str(uuid.UUID(int=pick.getrandbits(128), version=4))
        if found[0] == "{}":
            return ""
        return "".join(pick.choices(ALPHABETS[found[1]], k=int(found[2])))

    return re.sub(r"\{(?:([A-Z])(\d+)|G|)\}", put, template)


def made(name: str, pick: random.Random) -> tuple[str, str]:
    """A secret of the shape ``name``: all of it, and what must not be seen of it."""
    whole = filled(SHAPES[name], pick)
    marked = re.search("«(.*)»", whole, re.DOTALL)
    return whole.replace("«", "").replace("»", ""), marked[1] if marked else whole
