"""Lines that were written before the rules for secrets had seen any of them, to measure recall and false alarms."""

from collections.abc import Callable

from tests.sources.secret_values import DIGITS, LOWER, UPPER, Values

SECRET: dict[str, Callable[[Values], str]] = {
    # formats, in the sentences in which people paste them
    "aws pair in a profile": lambda v: (
        f"[shop]\naws_access_key_id = ASIA{v.of(UPPER + '234567', 16)}\naws_secret_access_key = {v.signs(40)}"
    ),
    "aws secret alone": lambda v: f"シークレットアクセスキーは「{v.signs(40)}」です。",
    "github in a remote": lambda v: f"git remote set-url origin https://ghp_{v.signs(36)}@github.com/shop/api.git",
    "github app token": lambda v: f"GH_TOKEN=ghs_{v.signs(36)} gh pr list",
    "github fine-grained in CI": lambda v: f"    token: github_pat_{v.signs(82)}",
    "gitlab in a header": lambda v: (
        f'curl --header "PRIVATE-TOKEN: glpat-{v.signs(20)}" https://git.shop-web.co.jp/api/v4'
    ),
    "google key in a script tag": lambda v: (
        f'<script src="https://maps.shop-web.co.jp/js?key=AIza{v.signs(35)}&v=3"></script>'
    ),
    "google client secret": lambda v: f'"client_secret":"GOCSPX-{v.signs(28)}"',
    "slack bot in Python": lambda v: (
        f"client = WebClient(token='xoxb-{v.of(DIGITS, 12)}-{v.of(DIGITS, 13)}-{v.signs(24)}')"
    ),
    "slack user": lambda v: (
        f"xoxp-{v.of(DIGITS, 12)}-{v.of(DIGITS, 12)}-{v.of(DIGITS, 13)}-{v.hexadecimal(32)} で投稿できます"
    ),
    "slack webhook": lambda v: (
        f"通知先は https://hooks.slack.com/services/T{v.of(UPPER, 8)}/B{v.of(UPPER, 10)}/{v.signs(24)}"
    ),
    "slack workflow": lambda v: (
        f"https://hooks.slack.com/workflows/{v.signs(10)}/{v.signs(11)}/{v.of(DIGITS, 18)}/{v.signs(24)}"
    ),
    "stripe in Node": lambda v: f"const stripe = require('stripe')('sk_live_{v.signs(48)}');",
    "stripe restricted": lambda v: f"制限付きキー rk_live_{v.signs(30)}",
    "openai in an environment": lambda v: f"export OPENAI_API_KEY=sk-svcacct-{v.signs(74)}T3BlbkFJ{v.signs(74)}",
    "anthropic": lambda v: f"x-api-key: sk-ant-api03-{v.signs(93)}AA",
    "sendgrid": lambda v: f"MAIL_PASSWORD=SG.{v.signs(22)}.{v.signs(43)}",
    "package upload": lambda v: f"[distutils]\nusername = __token__\npassword = pypi-AgEIcHlwaS5vcmc{v.signs(120)}",
    "npm in an npmrc": lambda v: f"//npm.shop-web.co.jp/:_authToken=npm_{v.signs(36)}",
    "azure storage": lambda v: (
        f"DefaultEndpointsProtocol=https;AccountName=shopprod;AccountKey={v.signs(86)}==;EndpointSuffix=core.windows.net"
    ),
    "azure signature": lambda v: (
        f"https://shopprod.blob.core.windows.net/in?sv=2022-11-02&se=2026-12-31&sr=c&sig={v.signs(43)}%3D"
    ),
    "twilio": lambda v: f"TWILIO_KEY=SK{v.hexadecimal(32)}",
    "rsa key in a JSON text": lambda v: '{"type":"service_account","private_key":"' + v.pem("", "\\n") + '\\n"}',
    "ec key in a fence": lambda v: f"検証環境の鍵:\n\n```\n{v.pem('EC ')}\n```\n",
    "openssh key, quoted": lambda v: "\n".join("> " + line for line in v.pem("OPENSSH ").split("\n")),
    "encrypted key": lambda v: v.pem("ENCRYPTED "),
    "key in a YAML block": lambda v: "tls.key: |\n" + "\n".join("    " + line for line in v.pem().split("\n")),
    "jwt in a header": lambda v: f"Authorization: Bearer {v.jwt()}",
    "jwt in a cookie": lambda v: f"Cookie: sid={v.jwt()}; Path=/",
    # words and values
    "yaml": lambda v: f"spring:\n  datasource:\n    username: app\n    password: {v.password()}",
    "properties": lambda v: f"spring.datasource.password={v.weak()}",
    "dotenv": lambda v: f"REDIS_PASSWORD='{v.strong()}'",
    "ini with blanks": lambda v: f"db_pass    =    {v.password()}",
    "Java": lambda v: f'config.setPassword("{v.password()}");',
    "JavaScript object": lambda v: f"const opts = {{ user: 'app', password: '{v.strong()}' }};",
    "Ruby hash": lambda v: f":password => '{v.password()}'",
    "Go": lambda v: f'apiSecret := "{v.signs(24)}"',
    "Terraform": lambda v: f'master_password = "{v.strong()}"',
    "Docker": lambda v: f"docker run -e MYSQL_ROOT_PASSWORD={v.password()} mysql:8",
    "docker login": lambda v: f"docker login registry.shop-web.co.jp -u ci -p {v.password()}",
    "mysqldump": lambda v: f"mysqldump -u backup -p'{v.strong()}' orders > orders.sql",
    "PGPASSWORD": lambda v: f"PGPASSWORD={v.password()} psql -U app orders",
    "sshpass": lambda v: f"sshpass -p {v.password()} ssh deploy@web01.shop-web.co.jp",
    "redis-cli": lambda v: f"redis-cli -a {v.password()} ping",
    "sqlplus": lambda v: f"sqlplus app/{v.password()}@ORCL",
    "long option": lambda v: f"./import --user app --password {v.password()} --file x.csv",
    "ALTER USER": lambda v: f"ALTER USER app WITH PASSWORD '{v.password()}';",
    "windows": lambda v: f"net use Z: \\\\files.shop-web.co.jp\\in /user:app {v.strong()} # password {v.strong()}",
    "SOAP": lambda v: f'<wsse:Password Type="PasswordText">{v.password()}</wsse:Password>',
    "bean": lambda v: f'<property name="password" value="{v.password()}"/>',
    "query": lambda v: f"GET /login?user=app&pwd={v.password()}",
    "English sentence": lambda v: f"The staging password is {v.password()}, please do not share it.",
    "English aside": lambda v: f"Log in as admin (password: {v.weak()}).",
    "English use": lambda v: f"Use {v.password()} as the password for the batch user.",
    "passphrase": lambda v: f"passphrase `{v.signs(16)}`",
    "custom header": lambda v: f"X-API-Key: {v.signs(32)}",
    "header in a table": lambda v: f"| X-Api-Key | `{v.signs(40)}` |",
    "curl with two lines": lambda v: (
        f"curl -X POST https://api.shop-web.co.jp/v1/orders \\\n  -H 'Content-Type: application/json' \\\n"
        f"  -H 'Authorization: Bearer {v.signs(48)}' \\\n  -d '{{}}'"
    ),
    "curl with a user in the next line": lambda v: (
        f"curl \\\n  --user 'batch02:{v.password()}' \\\n  https://api.shop-web.co.jp"
    ),
    "Basic in a table": lambda v: f"| Authorization | Basic {v.basic()} |",
    # Japanese
    "は、です": lambda v: f"検証環境のパスワードは{v.password()}です。",
    "かぎ括弧": lambda v: f"初期パスワードは「{v.strong()}」になります。",
    "全角コロン": lambda v: f"管理者ＩＤ：admin　パスワード：{v.weak()}",
    "全角イコール": lambda v: f"ＡＰＩキー＝{v.signs(32)}",
    "ID/PW": lambda v: f"ID/PW: tester01 / {v.password()}",
    "箇条書き": lambda v: f"- ユーザー: app\n- パスワード: {v.password()}\n- ポート: 5432",
    "括弧": lambda v: f"共用アカウント（パスワード {v.password()}）でログインします",
    "逆順": lambda v: f"{v.strong()} がパスワードです",
    "として": lambda v: f"`{v.password()}` をパスワードとして入力してください",
    "アクセストークン": lambda v: f"アクセストークンは {v.signs(40)} を使ってください",
    "暗証番号": lambda v: "暗証番号は " + v.of("379", 1) + v.of("15", 1) + v.of("82", 1) + v.of("46", 1) + " です",
    "表": lambda v: (
        "| 環境 | ユーザー | パスワード |\n|:--|:--|:--|\n"
        f"| 検証 | app | {v.password()} |\n| 本番 | app | {v.strong()} |"
    ),
    "次の行": lambda v: f"パスワードは以下の通りです。\n\n{v.password()}\n",
    "認証キー": lambda v: f"認証キー → {v.hexadecimal(32)}",
    "全角の値": lambda v: "パスワードは " + "".join(chr(ord(sign) + 0xFEE0) for sign in v.password()) + " です",
    "太字": lambda v: f"パスワードは **{v.password()}** です",
    # targets
    "接続先": lambda v: f"接続先は {v.private_address()}:{v.port()} です",
    "ホストとポート": lambda v: f"ホスト：{v.private_address()}\nポート：{v.port()}",
    "DBホスト名": lambda v: f"DBの接続先：{v.host()}:{v.port()}/orders",
    "踏み台": lambda v: f"踏み台サーバ {v.private_address()} を経由します",
    "ssh": lambda v: f"ssh -i key.pem ec2-user@{v.private_address()}",
    "postgres": lambda v: f"DATABASE_URL=postgres://app:{v.password()}@{v.host()}.shop-web.co.jp:5432/orders",
    "postgres, password with marks": lambda v: (
        f"postgresql://app:{v.of(LOWER, 4)}%40{v.of(DIGITS, 4)}@{v.host()}/orders"
    ),
    "jdbc SQL Server": lambda v: f"jdbc:sqlserver://{v.host()}:1433;databaseName=orders",
    "jdbc Oracle service": lambda v: f"jdbc:oracle:thin:@//{v.private_address()}:1521/ORCLPDB1",
    "tns": lambda v: (
        f"(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST={v.host()})(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=ORCL)))"
    ),
    "ADO.NET": lambda v: (
        f"Data Source={v.host()}\\SQL2019;Initial Catalog=Orders;User ID=app;Password={v.password()};"
    ),
    "ADO.NET without a password": lambda v: (
        f"Server=tcp:{v.host()}.corp.local,1433;Database=Orders;Integrated Security=true"
    ),
    "mongodb": lambda v: (
        f"mongodb://app:{v.password()}@{v.private_address()}:27017,{v.private_address()}:27017/?replicaSet=rs0"
    ),
    "redis over TLS": lambda v: f"rediss://default:{v.signs(44)}@cache.shop-web.co.jp:6380",
    "amqp": lambda v: f"amqps://app:{v.strong().replace('#', '!')}@mq.shop-web.co.jp/orders",
    "smtp": lambda v: f"smtp://mailer:{v.password()}@smtp.shop-web.co.jp:587",
    "ftp": lambda v: f"ftp://upload:{v.weak()}@ftp.shop-web.co.jp/in",
    "internal": lambda v: f"curl http://orders.{v.host()}.internal:8080/health",
    "local": lambda v: f"{v.host()}.shop.local:1521",
    "rds": lambda v: f"{v.host()}.c{v.of(LOWER + DIGITS, 11)}.ap-northeast-1.rds.amazonaws.com",
    "ipv6": lambda v: f"psql -h fd00:{v.hexadecimal(4)}::10 -p 5432  # [fd00:{v.hexadecimal(4)}::10]:5432",
    "escaped underscores": lambda v: f"DB\\_PASSWORD={v.password()}",
    "character references": lambda v: f"password&#58; {v.password()}",
    "zero-width": lambda v: f"pass\u200bword: {v.password()}",
}

INNOCENT = (
    # English
    "Send the token in the `Authorization` header: `Authorization: Bearer <token>`.",
    'curl -H "Authorization: Bearer $ACCESS_TOKEN" https://api.shop-web.co.jp/v1/orders',
    'curl -u "$USER:$PASSWORD" https://api.shop-web.co.jp/v1/orders',
    "curl -u username:token https://api.shop-web.co.jp/user",
    "Basic authentication is no longer supported; use OAuth 2.0.",
    "The password must have 8 to 64 characters, among them a digit and a capital letter.",
    "`password` (string, required): at least 12 characters.",
    "| `client_secret` | string | The secret that was issued to the client |",
    "| password | string (8-64) | required |",
    "Tokens expire after 3600s; refresh tokens after 30days.",
    "Set the environment variable `SHOP_API_KEY` before you start the service.",
    "api_key: ${SHOP_API_KEY}",
    'password: "{{ vault_db_password }}"',
    "password: ENC(********)",
    "DB_PASSWORD=%DB_PASSWORD%",
    'token = response.json()["access_token"]',
    "const token = await getAccessToken(clientId1, scope2);",
    'String password = request.getParameter("password1");',
    "passwordEncoder = new BCryptPasswordEncoder(12)",
    'String apiKey = System.getenv("API_KEY_V2");',
    "secretKeyRef: {name: db-secret-v2, key: password}",
    "secretName: shop-tls-2024",
    "tokenUrl: https://auth.shop-web.co.jp/oauth2/v2.0/token",
    "pageToken: CjQKEjIwMjQtMDEtMDFUMDA",
    '"nextToken": "eyJwYWdlIjoyfQ=="',
    "Idempotency-Key: 7f9c24e8-3b12-4fef-91d0-3d2a9c1c9f12",
    "X-Request-Id: 6f1ed002ab5595859014ebf0951522d9",
    'ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"',
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "commit 82735a15826a30cc51e97a1bbfb59b3d388e4b98 fixed it",
    "The key `customer_id2` is the primary key; `order_key3` is the partition key.",
    'cacheKey = "orders:v2:page1"',
    "http://localhost:8080/v1/orders",
    "jdbc:h2:mem:testdb;DB_CLOSE_DELAY=-1",
    "jdbc:postgresql://localhost:5432/orders",
    "jdbc:mysql://<host>:<port>/<database>",
    "mongodb://localhost:27017/test",
    "redis://localhost:6379/0",
    "postgres://user:password@localhost:5432/mydb",
    "https://user:pass@example.com/",
    "https://username:password@host.example.org/path",
    "mailto:support@shop-web.co.jp",
    "Contact: https://shop-web.co.jp/contact, support@shop-web.co.jp",
    "The server listens on 0.0.0.0:8080.",
    "Bind to 127.0.0.1:9000 in development.",
    "Private ranges are 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16.",
    "`X-Forwarded-For: 203.0.113.195` names the client.",
    "Version 10.2.1.4 of the driver is required.",
    'The response has `"token_type": "Bearer"` and `"expires_in": 3600`.',
    '"access_token": "eyJhbGciOi..."',
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIE\n-----END CERTIFICATE-----",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow...\n-----END RSA PRIVATE KEY-----",
    "Use `openssl genrsa -out private.pem 2048` to make a private key.",
    "The field `pass_count2` holds how many tests passed.",
    "compass: N45E12",
    'ssh-keygen -t ed25519 -C "you@example.com"',
    "`secret` is optional: see RFC7591 section 2.",
    'OAuth2PasswordBearer(tokenUrl="token")',
    'HTTP 401 with `error="invalid_token"`: the token is malformed or expired.',
    "Retry after 429: the bucket holds 5000 tokens per hour.",
    "max_tokens: 4096",
    "tokenizer: cl100k_base",
    # Japanese
    "パスワードは 8 文字以上 64 文字以下で、英字と数字を含めてください。",
    "パスワードは必須です（最小 8 文字）。",
    "パスワードを忘れた場合は support@shop-web.co.jp へ連絡してください。",
    "パスワードは bcrypt でハッシュ化して保存します。",
    "パスワードは SHA-256 ではなく Argon2id でハッシュ化します。",
    "パスワード：（管理者に確認してください）",
    "パスワード: ●●●●●●●●",
    "パスワードは `<パスワード>` に置き換えてください。",
    "API キーはヘッダー `X-Api-Key` に設定します。",
    "APIキーは管理画面の「設定 > API」から発行できます。",
    "APIキー：YOUR_API_KEY",
    "アクセストークンの有効期間は 1 時間、リフレッシュトークンは 30 日です。",
    "トークンは `POST /oauth2/token` で取得してください。",
    "トークンが無効な場合は 401 を返します。エラーコードは E4010002 です。",
    "暗証番号は 4 桁の数字です。",
    "認証は OAuth2.0 の Client Credentials で行います。",
    "接続先は環境変数 `DB_HOST` で指定します。",
    "接続先 URL は環境ごとに異なります。README を参照してください。",
    "接続先は localhost:5432 です（ローカル開発時）。",
    "ポートは 8080、ヘルスチェックは /health です。",
    "10.0.0.0/16 の VPC から接続できます。",
    "サーバーのバージョンは 10.1.2.3 以降にしてください。",
    "シークレットは Secret Manager の `shop-db-v2` に登録してください。",
    "`Authorization: Basic base64(client_id:client_secret)` の形式です。",
    "秘密鍵は 2048bit 以上の RSA を使用します。",
    "| パスワード | 文字列 | 必須 | 半角英数字 8〜64 桁 |",
    "| 項目 | 型 | 説明 |\n|---|---|---|\n| password | string | パスワード |\n| token | string | トークン |",
    "会員番号は C0012345、注文番号は ORD-2024-000123 の形式です。",
    "エラー `INVALID_TOKEN_02` が返る場合は再ログインしてください。",
    "電話番号は 03-1234-5678 の形式で指定します。",
    "郵便番号 150-0001、住所コード 13113 を指定します。",
)
