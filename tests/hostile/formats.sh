#!/bin/bash
# Formats that nysel does not read are named by their first bytes, with the remedy; text in other encodings is read.
. "$(dirname "$0")/../cli/lib.inc"

"$nysel" demo banana --write ok.csv --rows 60 -q
"$nysel" train ok.csv -o ok.nysel -q --threads 1

# named NAME REGEX: info, train and predict say what the file is.
named() {
    for command in "info $1" "train $1 -o m.nysel" "predict ok.nysel $1"; do
        expect 1 "$command" $command
        check "$command names it" grep -qE "$1 is $2" err
    done
}

python3 - <<'END'
import bz2, lzma, pickle, sqlite3, struct, zipfile
text = open("ok.csv", "rb").read()
open("a.bz2", "wb").write(bz2.compress(text))
open("a.xz", "wb").write(lzma.compress(text))
open("a.zst", "wb").write(b"\x28\xb5\x2f\xfd\x04\x00" + text[:100])
pickle.dump([1, 2, 3], open("a.pkl", "wb"))
with zipfile.ZipFile("a.xlsx", "w") as z: z.writestr("[Content_Types].xml", "<x/>"); z.writestr("xl/workbook.xml", "<x/>")
with zipfile.ZipFile("a.npz", "w") as z: z.writestr("x.npy", b"\x93NUMPY")
with zipfile.ZipFile("a.zip", "w") as z: z.writestr("ok.csv", text)
db = sqlite3.connect("a.db"); db.execute("create table t (x)"); db.commit(); db.close()
open("a.parquet", "wb").write(b"PAR1\x15\x04\x15\x10" + bytes(50) + b"PAR1")
open("a.arrow", "wb").write(b"ARROW1\0\0" + bytes(50))
open("a.h5", "wb").write(b"\x89HDF\r\n\x1a\n" + bytes(50))
open("a.xls", "wb").write(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(50))
open("a.pdf", "wb").write(b"%PDF-1.7\n%\xe2\xe3")
open("a.json", "w").write('{"a": [1, 2]}\n')
open("a.arff", "w").write("@relation x\n@attribute a numeric\n@data\n1\n")
open("a.html", "w").write("<!DOCTYPE html><html></html>\n")
with open("cp1252.csv", "w", encoding="cp1252", newline="\r\n") as f:
    f.write("Größe;Ort;Preis;Urteil\n")
    for i in range(60): f.write(f"{i % 7},5;{('Köln', 'Münster')[i % 2]};{i * 31 % 40},25;{('schön', 'häßlich')[i * 7 // 3 % 2]}\n")
open("utf8.csv", "w", encoding="utf-8-sig").write(open("cp1252.csv", encoding="cp1252").read())
open("utf16.csv", "w", encoding="utf-16").write(open("cp1252.csv", encoding="cp1252").read())
open("sep.csv", "w", encoding="cp1252").write("sep=;\n" + open("cp1252.csv", encoding="cp1252").read())
END
named a.xlsx 'an Excel .*save the sheet as CSV'
named a.xls 'an old Excel .*save the sheet as CSV'
named a.parquet 'a Parquet file; .*read_parquet'
named a.arrow 'an Arrow .*read_feather'
named a.npz 'an \.npz archive; .*numpy\.save'
named a.zip 'a zip archive; unpack'
named a.zst 'compressed by zstd; .*zstd -d'
named a.xz 'compressed by xz; .*xz -d'
named a.bz2 'compressed by bzip2; .*bzip2 -d'
named a.pkl 'a Python pickle'
named a.h5 'an HDF5 file'
named a.db 'an SQLite database'
named a.pdf 'a PDF document'
named a.json 'JSON'
named a.arff 'an ARFF file'
named a.html 'an HTML page'
named utf16.csv 'UTF-16 text; .*UTF-8'
gzip -k a.parquet
expect 1 "inside gzip too" info a.parquet.gz
check "by name" grep -q 'a.parquet.gz is a Parquet file' err
expect 1 "a model in the place of the data" predict ok.nysel ok.nysel
check "is called one" grep -q 'ok.nysel is a model of nysel, not data' err
printf 'PAR1,ORC,BZh\n1,2,3\n4,5,6\n7,8,9\n' >names.csv
expect 0 "columns may be called like formats" info names.csv

# ---- encodings ------------------------------------------------------------------------------------------------------

expect 0 "Windows-1252 is read" train cp1252.csv -o cp.nysel --threads 1
check "with a note" grep -q 'cp1252.csv:1: .*taken as Windows-1252' err
expect 0 "predictions" predict cp.nysel cp1252.csv
check "are UTF-8" grep -qE '^(schön|häßlich)$' out
cp out cp.out
expect 0 "the same table in UTF-8" predict cp.nysel utf8.csv
check "gives the same" cmp out cp.out
check "and no category is unknown" test "$(grep -c 'not seen' err)" = 0
expect 0 "sep=; is understood" train sep.csv -o sep.nysel --threads 1
expect 0 "predict a file with sep=;" predict cp.nysel sep.csv
check "the same again" cmp out cp.out
expect 0 "in passes" train sep.csv -o pass.nysel --threads 1 --stream yes
expect 0 "names in the JSON" info cp1252.csv --json info.json
check "are UTF-8" grep -q '"Größe"' info.json
finish
