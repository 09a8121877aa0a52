"""Numbers as Word writes them (ECMA-376 part 1, 17.18.59), as far as Western and Japanese documents use them."""

from collections.abc import Callable

_DIGITS = "〇一二三四五六七八九"
_LEGAL = "〇壱弐参四伍六七八九"
_AIUEO = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
_AIUEO_HALF = "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ"
_IROHA = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン"
_IROHA_HALF = "ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳヰﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼヱﾋﾓｾｽﾝ"
_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"))
_ROMAN_SMALL = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def _decimal(value: int) -> str:
    return str(value)


def _wide(value: int) -> str:
    return str(value).translate({ord("0") + digit: ord("０") + digit for digit in range(10)})


def _roman(value: int) -> str:
    if not 0 < value < 5000:
        return str(value)
    written = ""
    for worth, letters in (*_ROMAN, *_ROMAN_SMALL):
        times, value = divmod(value, worth)
        written += letters * times
    return written


def _letters(value: int) -> str:
    """A to Z, then AA, BB, …, as Word counts on."""
    if not 0 < value <= 780:
        return str(value)
    times, letter = divmod(value - 1, 26)
    return chr(ord("A") + letter) * (times + 1)


def _of(signs: str) -> Callable[[int], str]:
    """One sign a number; past the last one, digits."""
    return lambda value: signs[value - 1] if 0 < value <= len(signs) else str(value)


def _digits(value: int) -> str:
    return "".join(_DIGITS[int(digit)] for digit in str(value)) if value >= 0 else str(value)


def _counting(digits: str, units: tuple[str, str, str], *, says_one: bool) -> Callable[[int], str]:
    """十一, 二百五: digits with ten, hundred and thousand, up to 9,999."""

    def written(value: int) -> str:
        if value == 0:
            return digits[0]
        if not 0 < value < 10_000:
            return str(value)
        said = ""
        for power, unit in ((1000, units[2]), (100, units[1]), (10, units[0])):
            digit, value = divmod(value, power)
            if digit:
                said += (digits[digit] if digit > 1 or says_one else "") + unit
        return said + (digits[value] if value else "")

    return written


def _enclosed(first: int, last: int) -> Callable[[int], str]:
    """Signs that stand in Unicode one after the other: ① to ⑳, ⑴ to ⒇."""
    return lambda value: chr(first + value - 1) if 0 < value <= last - first + 1 else str(value)


_JAPANESE = _counting(_DIGITS, ("十", "百", "千"), says_one=False)

NUMBER_WORDS: dict[str, Callable[[int], str]] = {
    "decimal": _decimal,
    "decimalHalfWidth": _decimal,
    "decimalZero": lambda value: f"{value:02d}",
    "decimalFullWidth": _wide,
    "decimalFullWidth2": _wide,
    "numberInDash": lambda value: f"- {value} -",
    "upperRoman": _roman,
    "lowerRoman": lambda value: _roman(value).lower(),
    "upperLetter": _letters,
    "lowerLetter": lambda value: _letters(value).lower(),
    "decimalEnclosedCircle": _enclosed(0x2460, 0x2473),
    "decimalEnclosedParen": _enclosed(0x2474, 0x2487),
    "decimalEnclosedFullstop": _enclosed(0x2488, 0x249B),
    "aiueo": _of(_AIUEO_HALF),
    "aiueoFullWidth": _of(_AIUEO),
    "iroha": _of(_IROHA_HALF),
    "irohaFullWidth": _of(_IROHA),
    "japaneseCounting": _JAPANESE,
    "chineseCounting": _JAPANESE,
    "japaneseLegal": _counting(_LEGAL, ("拾", "百", "阡"), says_one=True),
    "japaneseDigitalTenThousand": _digits,
    "ideographDigital": _digits,
    "ideographTraditional": _of("甲乙丙丁戊己庚辛壬癸"),
    "ideographZodiac": _of("子丑寅卯辰巳午未申酉戌亥"),
}
"""By `w:numFmt`. What is not here (bullets apart) has no number rather than a wrong one."""
