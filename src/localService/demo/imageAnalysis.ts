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
