"""Writes encoding_names.inc: every name that Python has for a text encoding, and the name that iconv has for it.

Usage: python3 encoding_names.py > encoding_names.inc
"""

import codecs
import encodings.aliases
import pkgutil
import sys

# Where iconv calls the encoding otherwise than Python; "" where glibc has none.
ICONV = {
    "cp856": "IBM856", "euc_jisx0213": "EUC-JISX0213", "hp_roman8": "HP-ROMAN8", "iso2022_jp": "ISO-2022-JP",
    "iso2022_jp_2": "ISO-2022-JP-2", "iso2022_jp_3": "ISO-2022-JP-3", "iso2022_kr": "ISO-2022-KR", "koi8_r": "KOI8-R",
    "koi8_t": "KOI8-T", "koi8_u": "KOI8-U", "kz1048": "RK1048", "latin_1": "ISO-8859-1", "mac_cyrillic": "MAC-CYRILLIC",
    "mac_roman": "MACINTOSH", "ptcp154": "PT154", "tis_620": "TIS-620", "utf_7": "UTF-7", "utf_8": "UTF-8",
    "utf_8_sig": "UTF-8", "euc_jp": "EUC-JP", "euc_kr": "EUC-KR", "ascii": "ASCII",
}
NONE = """charmap cp1006 cp720 euc_jis_2004 hz idna iso2022_jp_1 iso2022_jp_2004 iso2022_jp_ext mac_arabic mac_croatian
    mac_farsi mac_greek mac_iceland mac_latin2 mac_romanian mac_turkish palmos punycode raw_unicode_escape
    shift_jis_2004 undefined unicode_escape utf_16 utf_16_be utf_16_le utf_32 utf_32_be utf_32_le""".split()


def iconv_name(module):
    if module in NONE:
        return ""
    if module.startswith("iso8859_"):
        return module.replace("iso8859_", "ISO-8859-")
    return ICONV.get(module, module.upper())


def modules():
    for entry in pkgutil.iter_modules(encodings.__path__):
        try:
            if codecs.lookup(entry.name)._is_text_encoding:
                yield entry.name
        except LookupError:
            continue


known = {name: name for name in modules()}
known.update({alias: name for alias, name in encodings.aliases.aliases.items() if name in known})
print("// Made by encoding_names.py from Python %d.%d. Do not edit." % sys.version_info[:2])
for alias in sorted(known):
    print('{"%s", "%s"},' % (alias, iconv_name(known[alias])))
