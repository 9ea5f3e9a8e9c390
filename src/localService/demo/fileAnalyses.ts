/** Python that looks into a JSON file, or one with a JSON value in each line. Needs `path`. */
export const jsonAnalysis = String.raw`import json, math
from collections import Counter

NAMES = {dict: "object", list: "array", str: "text", bool: "true or false", int: "number", float: "number"}
kind = lambda value: NAMES.get(type(value), "null")
count = lambda number, noun: f"{number:,} {noun}{'s' * (number != 1)}"

with open(path, encoding="utf-8-sig") as file:
    text = file.read()
try:
    data = json.loads(text)
except json.JSONDecodeError as problem:
    try:
        data = [json.loads(line) for line in text.splitlines() if line.strip()]
        print("One JSON value in each line")
    except json.JSONDecodeError:
        raise problem from None

counts, deepest, waiting = Counter(), 0, [(data, 1)]
while waiting:
    value, depth = waiting.pop()
    counts[kind(value)] += 1
    deepest = max(deepest, depth)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    waiting.extend((item, depth + 1) for item in inner)


def summarize(name, values, of):
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
    return {
        "field": name,
        "type": ", ".join(sorted({kind(v) for v in values})),
        "missing": of - sum(v is not None for v in values),
        "min": min(numbers, default=""),
        "max": max(numbers, default=""),
        "mean": math.fsum(numbers) / len(numbers) if numbers else "",
    }


print(f"{kind(data)}, {count(len(data), 'item')}" if isinstance(data, (dict, list)) else kind(data))
print(f"{count(sum(counts.values()), 'value')}, {count(deepest, 'level')}: " + ", ".join(f"{n:,} {k}" for k, n in counts.most_common()))
records = [("the array", data)] if isinstance(data, list) else list(data.items()) if isinstance(data, dict) else []
records = [(k, v) for k, v in records if isinstance(v, list) and v and all(isinstance(i, dict) for i in v)]
if len(records) == 1:
    name, records = records[0]
    print(f"{count(len(records), 'record')} in {name}")
    keys = dict.fromkeys(key for record in records for key in record)
    summary = [summarize(k, [r[k] for r in records if k in r], len(records)) for k in keys]
elif isinstance(data, dict):
    size = lambda v: len(v) if isinstance(v, (dict, list, str)) else ""
    summary = [{"field": k, "type": kind(v), "length": size(v)} for k, v in data.items()]
else:
    summary = [summarize("(items)", data if isinstance(data, list) else [data], 1)]
summary or None`;

/** Python that lists what a zip archive holds, without unpacking it. Needs `path`. */
export const zipAnalysis = String.raw`import zipfile

with zipfile.ZipFile(path) as archive:
    entries = archive.infolist()
files = [entry for entry in entries if not entry.is_dir()]
packed, whole = sum(f.compress_size for f in files), sum(f.file_size for f in files)
count = lambda number, noun: f"{number:,} {noun}{'s' * (number != 1)}"
print(f"{count(len(files), 'file')}, {count(whole, 'byte')}, packed into {packed:,}")
if any(entry.flag_bits & 1 for entry in files):
    print("Some files are encrypted")
[
    {
        "file": entry.filename,
        "bytes": entry.file_size,
        "packed": entry.compress_size,
        "changed": "%d-%02d-%02d" % entry.date_time[:3],
    }
    for entry in sorted(files, key=lambda entry: -entry.file_size)
] or None`;

/** Python that reads the header of a PNG, JPEG, GIF or WebP image. Needs `path`. */
export const imageAnalysis = String.raw`import os, struct

with open(path, "rb") as file:
    data = file.read()


def header(data):
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        width, height, depth, colour = struct.unpack(">IIBB", data[16:26])
        colours = {0: "grey", 2: "RGB", 3: "palette", 4: "grey with alpha", 6: "RGB with alpha"}
        return "PNG", width, height, f"{depth} bits, {colours.get(colour, colour)}"
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return "GIF", *struct.unpack("<HH", data[6:10]), f"{2 << (data[10] & 7)} colours"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        form = data[12:16]
        if form == b"VP8X":
            size = [int.from_bytes(data[at:at + 3], "little") + 1 for at in (24, 27)]
            return "WebP", *size, "extended"
        if form == b"VP8L":
            bits = int.from_bytes(data[21:25], "little")
            return "WebP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, "lossless"
        width, height = struct.unpack("<HH", data[26:30])
        return "WebP", width & 0x3FFF, height & 0x3FFF, "lossy"
    if data[:2] == b"\xff\xd8":
        at = 2
        while at + 9 < len(data):
            marker, length = data[at + 1], struct.unpack(">H", data[at + 2:at + 4])[0]
            if marker == 0xFF:
                at += 1
            elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
                height, width = struct.unpack(">HH", data[at + 5:at + 9])
                return "JPEG", width, height, f"{data[at + 9]} channels"
            else:
                at += 2 + length
    raise ValueError("This is no PNG, JPEG, GIF or WebP image")


form, width, height, details = header(data)
print(f"{form}, {width:,} × {height:,} pixels, {details}")
[{"format": form, "width": width, "height": height, "details": details, "bytes": len(data)}]`;

/** Python that counts what a text holds, or tells how a binary file begins. Needs `path`. */
export const textAnalysis = String.raw`import re
from collections import Counter

count = lambda number, noun: f"{number:,} {noun}{'s' * (number != 1)}"
with open(path, "rb") as file:
    data = file.read()
text = None
if b"\x00" not in data[:8192] or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
    for encoding in ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8", "cp1252"):
        try:
            text = data.decode(encoding)
            break
        except UnicodeDecodeError:
            pass
if text is None:
    print(f"{len(data):,} bytes, not a text; it begins with {data[:16].hex(' ')}")
    summary = None
else:
    lines, words = text.splitlines(), re.findall(r"\w+", text)
    print(f"{count(len(lines), 'line')}, {count(len(words), 'word')}, {count(len(text), 'character')}")
    summary = [
        {"counted": "lines", "result": len(lines)},
        {"counted": "blank lines", "result": sum(not line.strip() for line in lines)},
        {"counted": "longest line", "result": max(map(len, lines), default=0)},
        {"counted": "words", "result": len(words)},
        {"counted": "different words", "result": len({word.lower() for word in words})},
        {"counted": "characters", "result": len(text)},
        {"counted": "bytes", "result": len(data)},
        {"counted": "encoding", "result": encoding},
    ]
    common = Counter(word.lower() for word in words if len(word) > 3).most_common(5)
    if common:
        print("Most frequent: " + ", ".join(f"{word} ({count})" for word, count in common))
summary`;
