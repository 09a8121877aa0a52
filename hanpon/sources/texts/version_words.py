"""Words around a number that tell a version from other numbers, and this thing's version from another thing's."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NUMBER = re.compile(
    r"(?<![0-9]\.)(?<![A-Za-z0-9_,])(?P<v>[vV]\.?)?(?P<number>\d{1,4}(?:\.\d{1,5}){0,3})(?:\.[xX*])?"
    r"(?:[-.]?(?:alpha|beta|rc|snapshot|preview|final|ga)[.-]?\d{0,4})?"
    r"(?![A-Za-z0-9_]|\.\d|,\d|[-/]\d)",
    re.IGNORECASE,
)
"""A number that could be a version; not one in a word, a date or an address of four numbers and more."""

DATE = re.compile(r"(?<![\d.-])(\d{4})-(\d{2})-(\d{2})(?![\d.-]|T\d)")

VERSION_WORD = re.compile(
    r"(?:(?<![A-Za-z0-9_\"'.-])(?:versions?|ver\.?)|バージョン[:：]?|(?:^|\n)[ \t*#>|-]{0,9}(?-i:Version)\s?:)"
    r"[ \t\u3000]{0,2}$",
    re.IGNORECASE,
)

CHANGE_BEFORE = re.compile(
    r"(?<![A-Za-z0-9_-])(?:@?since|as of|prior to|starting (?:with|from|in)|beginning with|newer than|older than"
    r"|(?:added|introduced|deprecated|removed|changed|renamed|replaced|dropped|fixed|released|new|available|obsolete"
    r"|broken|landed|unchanged) (?:in|since|from|as of|with|by|until)"
    r"|(?:upgrad|migrat)(?:e|es|ed|ing) (?:from|to)|(?:breaking )?changes? (?:in|from|since|between))"
    r"[ \t]+(?:the )?(?:release )?$",
    re.IGNORECASE,
)

CHANGE_AFTER = re.compile(
    r"[ \u3000]?(?:系|版|リリース)?[ \u3000]?(?:から|より|以降|以前|まで|にて|で)"
    r"(?:は|も|に|の|、|[ \u3000])?[^\n。、]{0,10}?"
    r"(?:変更|変わ|追加|廃止|削除|非推奨|新設|導入|対応|改善|移行|刷新|互換|サポート|リリース|修正)"
)

UNIT_AFTER = re.compile(
    r"\s?(?:[%％°]|[kKMGTm]i?[Bb](?:yte|it)?s?\b|bytes?\b|bits?\b|m?s(?:ec(?:ond)?s?)?\b|seconds?\b|minutes?\b|hours?\b"
    r"|days?\b|weeks?\b|months?\b|years?\b|times\b|[GMk]?Hz\b|px\b|pt\b|r?em\b|[mck]m\b|kg\b|inch|dollars?\b"
    r"|円|秒|分|時間|日|件|回|文字|桁|個|倍|人|年|月|か月|ヶ月|章|節|項|条|番|行|ページ|バイト|ミリ秒|系統|種類|つ)"
)

SECTION_BEFORE = re.compile(
    r"(?:[§＄$€¥£]|(?:section|chapter|figure|table|fig\.|sec\.|step|rfc|iso|part|clause|appendix)\s"
    r"|図|表|章|節|項|別紙|付録|手順|条)\s?$",
    re.IGNORECASE,
)

EXAMPLE_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:e\.g\.|for example|for instance|such as|例|例えば|たとえば)[,:、：]?\s?[\"'`“「(]{0,2}$",
    re.IGNORECASE,
)
"""What follows shows how a version may be written."""

GENERIC = _words(
    "api apis rest web http-api sdk sdks library lib client clients service services component package module "
    "major minor patch version versions ver release releases spec specification definition interface endpoint "
    "endpoints public current stable latest private internal external this "
    "バージョン ライブラリ サービス クライアント インターフェース "
    "インタフェース メジャー マイナー リリース エンドポイント パッケージ モジュール コンポーネント コード "
)
"""Words for the thing itself: what stands before them says whose version it is."""

NO_SUBJECT = _words(
    "a an the in on at to of from by with for and or nor but as is are was were be been being has have had "
    "than then since until till before after between both either only also if when while where which that "
    "these those its their our your my it they we you i not no new old older newer existing deprecated legacy "
    "use uses using used call calls calling see via per through into onto like unlike support supports "
    "supported supporting remove removes removed add added adds introduce introduced change changed changes "
    "upgrade upgrading migrate migrating move moving moved switch switched switching replace replaced replaces "
    "require requires works work worked behaves behaved behave does did do can could will would should must "
    "may might all any each every previous next first last e.g i.e either instead note todo nb "
)
"""Words that name nothing."""

_OLD = r"(?:previous|earlier|older|prior|past|former)"
PHRASE = re.compile(
    rf"\b(?:in|from|with|than|to|by|since|unlike|until) (?:the |all |any |our )?{_OLD}"
    r" (?:major |minor |API |SDK )?(?:versions?|releases?)\b"
    r"|旧(?:版(?![画本権])|バージョン|ver\b)|(?:前|以前の|過去の|従来の|前の|古い|旧い|直前の)"
    r"(?:メジャー|マイナー)?(?:バージョン|リリース|版(?![画本権]))",
    re.IGNORECASE,
)

HEADING = re.compile(
    r"^[ \t#*■●◆【\[\d.)-]{0,20}"
    r"(change ?logs?|change history|revision history|version history|release (?:notes|history)"
    r"|what['’]s (?:new|changed)[^\n]{0,30}|migration(?: guide| notes)?|migrating (?:from|to) [^\n]{1,40}"
    r"|upgrad(?:e|ing) (?:guide|notes|from [^\n]{1,40}|to [^\n]{1,40})"
    r"|変更履歴|更新履歴|改[訂版定]履歴|リリースノート|リリース履歴|バージョン履歴|移行ガイド|変更点)"
    r"[\]】:： \t*]{0,9}$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that is nothing but the heading of a change log."""
