"""Questions with answers, in words of support desks: some answers are a secret, some only speak of secrets."""

from collections.abc import Callable

from tests.sources.secret_values import DIGITS, LOWER, UPPER, Values

Pair = tuple[str, str]

REPORTED: dict[str, Callable[[Values], Pair]] = {
    "fenced below": lambda v: (
        "DB につながりません",
        f"DB のパスワードは次のとおりです。\n\n```\n{v.signs(16)}\n```",
    ),
    "indented below": lambda v: ("How?", f"The password is as follows:\n\n    {v.signs(16)}"),
    "asked, below": lambda v: (
        "検証環境の DB のパスワードは何ですか",
        f"次の値を使います。\n\n{v.signs(16)}",
    ),
    "asked, in code": lambda v: ("検証環境の DB のパスワードは何ですか", f"現在は `{v.signs(16)}` です。"),
    "asked in English": lambda v: ("What is the DB password?", f"It is {v.signs(16)}."),
    "asked, behind a colon": lambda v: ("本番 DB のパスワードは？", f"こちらです: {v.signs(16)}"),
    "asked, first value": lambda v: ("初期パスワードを教えて", f"初期値は {v.signs(16)} なので変更してください"),
    "asked for a key": lambda v: ("API キーを教えてください", f"お使いください: {v.signs(16)}"),
    "value as a key": lambda v: ("どう呼びますか", f"{v.signs(16)} をAPIキーとして使ってください"),
    "arrow": lambda v: ("メモ", f"{v.signs(16)} ← DBのパスワード"),
    "slash and host": lambda v: ("つなぎ方", f"app/{v.signs(16)}@DB01 で接続"),
    "log in as": lambda v: ("How do I get in?", f"Log in as app / {v.signs(16)}"),
    "hex behind a key": lambda v: ("How?", f"api key {v.hexadecimal(32)}"),
    "cookie": lambda v: ("How?", f"Cookie: session={v.signs(16)}"),
    "servlet cookie": lambda v: ("How?", f"Cookie: JSESSIONID={v.hexadecimal(32).upper()}"),
    "percent": lambda v: ("How?", f"https://x/?password%3D{v.signs(16)}"),
    "host, then ssh": lambda v: ("入り方", "db01.prod.corp.internal へ ssh してください"),
    **{
        f"behind U+{ord(end):04X}": lambda v, end=end: ("How?", f"password:{end}{v.weak()}")  # type: ignore[misc]
        for end in "\u2028\u2029\x85\x0b\x0c"
    },
    "key of one line": lambda v: (
        "How?",
        "-----BEGIN PRIVATE " + f"KEY-----\n{v.signs(32)}\n-----END PRIVATE " + "KEY-----",
    ),
}
"""What a hostile tester brought through."""

SECRET: dict[str, Callable[[Values], Pair]] = {
    "ID and password below": lambda v: ("管理画面のログイン情報は？", f"ID: shopadm\n\n{v.password()}"),
    "list": lambda v: ("テスト用アカウントの認証情報を知りたい", f"- ユーザー app01\n- {v.strong()}"),
    "row of a table": lambda v: (
        "ステージングのパスワード一覧",
        f"| 環境 | 値 |\n|---|---|\n| stg | {v.password()} |",
    ),
    "bold": lambda v: ("What's the passphrase for the VPN?", f"Use **{v.password()}** for now."),
    "two sentences": lambda v: ("Where is the token?", f"We rotated it. The current one: {v.signs(24)}"),
    "bracketed": lambda v: (
        "DBに接続したい",
        f"ユーザー app（{v.password()}）で入れます。パスワードは月末に変わります",
    ),
    "hex": lambda v: ("検索の API キーが要ります", f"これを使って: {v.hexadecimal(40)}"),
    "quoted": lambda v: ("Which secret does the webhook use?", f'It was set to "{v.strong()}" last week.'),
    "sentence about it": lambda v: ("暗証を忘れました", f"{v.password()} に戻しておきました。"),
    "config": lambda v: ("接続文字列のひな形", f"app.db.cred = {v.signs(20)}"),
    "dashes": lambda v: ("共有キーは？", f"{v.signs(5)}-{v.signs(5)}-{v.signs(5)}"),
    "base64": lambda v: ("署名用の秘密鍵は？", f"{v.signs(21)}+{v.signs(20)}="),
    "sent by mail": lambda v: ("How do I sign in to staging?", f"Sign in with qa@shop-web.co.jp and {v.password()}"),
    "URL": lambda v: ("トークン付きの URL は？", f"https://ci.shop-web.co.jp/hook/{v.signs(24)}"),
    "full width": lambda v: ("パスワードは？", "".join(chr(ord(sign) + 0xFEE0) for sign in v.password()) + " です"),
    "small letters and digits": lambda v: ("トークンの例", f"現行は {v.hexadecimal(12)}{v.of(LOWER + DIGITS, 12)}"),
    "capitals and digits": lambda v: (
        "ライセンスキーは？",
        v.of(UPPER, 4) + v.of(DIGITS, 3) + v.of(UPPER, 3) + "7QX9",
    ),
    "weak, alone": lambda v: ("パスワードは何ですか", f"`{v.weak()}`"),
    "weak, below": lambda v: ("パスワードは何ですか", f"次の値です。\n\n{v.weak()}"),
    "weak, in a sentence": lambda v: ("What is the password?", f"Currently it is {v.weak()}."),
    "comma": lambda v: ("Credentials for the sandbox?", f"demo-shop, {v.password()}"),
    "script": lambda v: ("スクリプトで認証するには", f"```sh\n./login.sh shopadm {v.password()}\n```"),
    "header": lambda v: ("How do I authenticate?", f"Send `X-Shop-Auth: {v.signs(28)}`."),
}
"""Written before the rule for whole records was tried on any of them."""

INNOCENT: tuple[Pair, ...] = (
    ("パスワードの変更方法は？", "`PUT /customers/{customerId}/password` に `newPassword1` を送ります。"),
    ("トークンの有効期限は何ですか", "アクセストークンは `3600` 秒、リフレッシュは `30days` です。"),
    ("401 が返ります。トークンは正しいはずです", "`code` が `TOKEN_EXPIRED` です。`X-Request-Id` を付けて連絡を。"),
    ("Which algorithm signs the token?", "`RS256`; older clients may use `HmacSHA256` or `PBKDF2WithHmacSHA256`."),
    ("API キーの渡し方は？", "`X-Api-Key` ヘッダーです。`OAuth2ClientCredentials` は v2.1.0 からです。"),
    (
        "How do I refresh a token?",
        "Call `refreshAccessTokenV2()` of `ShopClient2`; see `docs/auth/OAuth2Guide.md#step-2a`.",
    ),
    ("パスワードの形式は？", "英大文字・小文字・数字を含む 8 文字以上で、`^[A-Za-z0-9!#%]{8,64}$` に合うもの。"),
    (
        "How do I make a token page?",
        "See https://github.com/shop/api/blob/82735a15826a30cc51e97a1bbfb59b3d388e4b98/README.md.",
    ),
    ("認証に失敗した要求を調べたい", "`requestId` が `7f9c24e8-3b12-4fef-91d0-3d2a9c1c9f12` の記録を見ます。"),
    (
        "パスワード再設定のメールが来ない",
        "送信元 no-reply@shop-web.co.jp と 2026-11-30T09:00:00+09:00 以降の記録を確認。",
    ),
    ("Does the secret go into the log?", "No: `MaskingFilter` of shop-log-3.1.2.jar hides it. Use `LogLevel.WARN`."),
    ("トークンのキャッシュは？", "`cacheKey` は `user:v2:page1`、上限は 512MB、TTL は 1h30m です。"),
    ("接続先を切り替えたい", "`SHOP_ENV=stg2` を設定し、`application-stg2.yml` を読み込みます。"),
    ("How are passwords stored?", "With Argon2id (m=19456, t=2, p=1), 16-byte salt, base64 of 44 characters."),
    ("ログインできない顧客の番号は？", "`customer_id` が `C0012345`、注文番号は `ORD-2024-000123` です。"),
    ("Cookie は必要ですか", "いいえ。`SameSite=Lax; HttpOnly; Max-Age=86400` は管理画面だけです。"),
    ("API key rotation?", "`POST /v1/api-keys/{keyId}:rotate` answers 202 with `Location: /v1/operations/op-42`."),
    ("認証の図はどこ？", "設計書 `AuthFlow_v1.2_20261130.xlsx` のシート「Sequence3」です。"),
    (
        "トークンで検索できますか",
        "`q=%E3%83%91%E3%82%B9` のように符号化し、`sort=-created_at&limit=100` を付けます。",
    ),
    (
        "SDK のトークン設定",
        "```java\nvar client = ShopClientV2.builder().tokenProvider(new Oauth2TokenProvider(cfg1)).build();\n```",
    ),
    ("npm の認証で落ちる", "`@shop/api-client@3.2.1` は Node18 以降、`ES2022` が要ります。`EAI_AGAIN` は DNS です。"),
    ("What is the token type?", "`Bearer`; `token_type` is an `enum`, and `expires_in` an `int32`."),
    (
        "Webhook secret を確かめるには",
        "`SHA256` の HMAC を `X-Shop-Signature-256` と比べます（`hmac.compare_digest`）。",
    ),
    ("ログインの試行回数", "5 回で `ACCOUNT_LOCKED_30M`、`Retry-After: 1800` が返ります。"),
    ("パスワードに使えない文字は？", "`<>&\"'` と空白です。`PASSWORD_INVALID_02` が返ります。"),
    ("Which header holds the ETag and the token?", 'ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"'),
    ("パスワードの初期化は誰が行いますか", "運用チームです。依頼は JIRA の `SHOPOPS-1234` に書いてください。"),
    ("トークンの容量は？", "最大 4KiB、`iPhone15Pro` でも `utf8mb4` で 2048 文字です。"),
    ("How do I test a login?", "`npm run test:e2e -- --grep Login2Fa`, or run `AuthControllerV2Test`."),
    ("認証 API の版は？", "`v1beta1` です。`io.shop.auth.v1beta1.AuthService/CreateToken` を呼びます。"),
)
