/** Python that summarizes the CSV or TSV file `path`, reading it once, row by row. */
export const tableAnalysis = String.raw`import csv, math, re
from array import array
from datetime import datetime

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
MISSING = {"", "na", "n/a", "nan", "null", "none"}


class Column:
    def __init__(self, name):
        self.name, self.missing, self.others, self.all_whole = name, 0, 0, True
        self.numbers, self.distinct, self.dates = array("d"), set(), True

    def add(self, value):
        value = value.strip()
        if value.lower() in MISSING:
            self.missing += 1
            return
        if len(self.distinct) <= 1000:
            self.distinct.add(value)
        if NUMBER.fullmatch(value):
            self.numbers.append(float(value))
            self.all_whole = self.all_whole and value.lstrip("+-").isdigit()
        else:
            self.others += 1
            if self.dates and self.others <= 1000:
                try:
                    datetime.fromisoformat(value)
                except ValueError:
                    self.dates = False

    def summary(self):
        row = dict(column=self.name, type="text", missing=self.missing, min="", max="", mean="")
        row["distinct"] = len(self.distinct) if len(self.distinct) <= 1000 else "over 1000"
        if self.numbers and not self.others:
            low, high = min(self.numbers), max(self.numbers)
            row["type"] = "integer" if self.all_whole else "number"
            row["min"], row["max"] = (int(low), int(high)) if self.all_whole else (low, high)
            row["mean"] = math.fsum(self.numbers) / len(self.numbers)
        elif self.numbers:
            row["type"] = f"mixed, {len(self.numbers)} numbers"
        elif self.others and self.dates:
            row["type"] = "date"
            if len(self.distinct) <= 1000:
                row["min"], row["max"] = min(self.distinct), max(self.distinct)
        elif not self.others:
            row["type"] = "empty"
        return row


csv.field_size_limit(10**9)
with open(path, "rb") as file:
    encoding = "utf-16" if file.read(2) in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
with open(path, newline="", encoding=encoding, errors="replace") as file:
    first_line = file.readline()
    file.seek(0)
    reader = csv.reader(file, delimiter=max(",;\t|", key=first_line.count))
    header = next(reader, [])
    columns = [Column(name.strip() or f"column {n}") for n, name in enumerate(header, 1)]
    rows = uneven = 0
    for row in reader:
        if not row:
            continue
        rows += 1
        uneven += len(row) != len(columns)
        for column, value in zip(columns, row):
            column.add(value)
        for column in columns[len(row):]:
            column.missing += 1

summary = [column.summary() for column in columns]
count = lambda number, noun: f"{number:,} {noun}{'s' * (number != 1)}"
print(f"{count(rows, 'row')}, {count(len(columns), 'column')}")
if uneven:
    print(f"{count(uneven, 'row')} with another number of fields than the header")
summary`;
