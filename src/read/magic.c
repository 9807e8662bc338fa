/* magic.c: one row for each format. A file that begins like text (PAR1, ORC) is taken for it only when bytes that no
 * text has follow soon. */
#include "magic.h"

#include <string.h>

enum { LOOK = 64 };

static const char unpack[] = "unpack it first";
static const char spreadsheet[] = "save the sheet as CSV";
#define PANDAS(read) "write it as CSV, as with pandas: " read "(FILE).to_csv(\"data.csv\", index=False)"

static const struct magic {
    const char *bytes;
    int size;
    bool letters; /* a text might begin so */
    const char *what, *remedy;
} magics[] = {
    {"PAR1", 4, true, "a Parquet file", PANDAS("read_parquet")},
    {"ARROW1", 6, true, "an Arrow (Feather) file", PANDAS("read_feather")},
    {"\xff\xff\xff\xff", 4, false, "an Arrow stream", "write it as CSV"},
    {"FEA1", 4, true, "a Feather file", PANDAS("read_feather")},
    {"ORC", 3, true, "an ORC file", PANDAS("read_orc")},
    {"Obj\x01", 4, false, "an Avro file", "write it as CSV"},
    {"\x28\xb5\x2f\xfd", 4, false, "compressed by zstd", "unpack it first (zstd -d), or use gzip"},
    {"\xfd"
     "7zXZ",
     6, false, "compressed by xz", "unpack it first (xz -d), or use gzip"},
    {"BZh", 3, true, "compressed by bzip2", "unpack it first (bzip2 -d), or use gzip"},
    {"\x04\x22\x4d\x18", 4, false, "compressed by lz4", "unpack it first (lz4 -d), or use gzip"},
    {"7z\xbc\xaf\x27\x1c", 6, false, "a 7z archive", unpack},
    {"Rar!\x1a\x07", 6, false, "a rar archive", unpack},
    {"\x1f\x9d", 2, false, "compressed by compress", "unpack it first (uncompress), or use gzip"},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, false, "an old Excel (.xls) or other Office file", spreadsheet},
    {"\x89HDF\r\n\x1a\n", 8, false, "an HDF5 file", "write the table as CSV or .npy"},
    {"MATLAB 5.0 MAT", 14, false, "a MATLAB file", "write the table as CSV (writematrix, writetable)"},
    {"MATLAB 7.3 MAT", 14, false, "a MATLAB file", "write the table as CSV (writematrix, writetable)"},
    {"SQLite format 3", 16, false, "an SQLite database",
     "write the table as CSV (sqlite3 -csv -header FILE \"select ...\")"},
    {"%PDF-", 5, false, "a PDF document", "data must be in a table: CSV, libsvm text or .npy"},
    {"RDX2\n", 5, false, "an R data file", "write it as CSV: write.csv(x, \"data.csv\", row.names = FALSE)"},
    {"RDX3\n", 5, false, "an R data file", "write it as CSV: write.csv(x, \"data.csv\", row.names = FALSE)"},
    {"X\n\0\0\0", 5, false, "an R data file (.rds)", "write it as CSV: write.csv(x, \"data.csv\", row.names = FALSE)"},
    {"$FL2", 4, true, "an SPSS file", "write it as CSV"},
    {"<stata_dta>", 11, false, "a Stata file", "write it as CSV (export delimited)"},
    {"\x7f"
     "ELF",
     4, false, "a program", "data must be CSV, libsvm text or .npy"},
    {"\x89PNG\r\n", 6, false, "an image", "data must be CSV, libsvm text or .npy"},
    {"\xff\xd8\xff", 3, false, "an image", "data must be CSV, libsvm text or .npy"},
    {"<!DOCTYPE", 9, false, "an HTML page", "save the data themselves, not the page that shows them"},
    {"<!doctype", 9, false, "an HTML page", "save the data themselves, not the page that shows them"},
    {"<html", 5, false, "an HTML page", "save the data themselves, not the page that shows them"},
    {"<?xml", 5, false, "XML", "write the table as CSV"},
    {"{\"", 2, false, "JSON", "write the table as CSV"},
    {"[{", 2, false, "JSON", "write the table as CSV"},
    {"[[", 2, false, "JSON", "write the table as CSV"},
    {"@relation", 9, false, "an ARFF file", "delete everything up to @data, the rest is CSV"},
    {"@RELATION", 9, false, "an ARFF file", "delete everything up to @data, the rest is CSV"},
};

static bool no_text(const char *bytes, int64_t held) {
    for (int64_t i = 0; i < held && i < LOOK; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c < 9 || (c > 13 && c < 32)) return true;
    }
    return false;
}

static bool ends_with(const char *name, int64_t length, const char *end) {
    int64_t n = (int64_t)strlen(end);
    return length >= n && memcmp(name + length - n, end, (size_t)n) == 0;
}

/* A zip archive: the name of its first entry tells what it is. */
static ny_status refuse_zip(ny_ctx *ctx, const char *file, const char *bytes, int64_t held) {
    enum { NAME_LENGTH = 26, NAME = 30 };
    const char *what = "a zip archive", *remedy = unpack;
    const unsigned char *u = (const unsigned char *)bytes;
    int64_t length = held >= NAME ? u[NAME_LENGTH] + 256 * u[NAME_LENGTH + 1] : 0;
    if (length > held - NAME) length = 0;
    const char *name = bytes + NAME;
    bool office = length >= 6 && (memcmp(name, "[Conte", 6) == 0 || memcmp(name, "_rels/", 6) == 0 ||
                                  memcmp(name, "docPro", 6) == 0 || memcmp(name, "xl/wor", 6) == 0);
    if (office) what = "an Excel (.xlsx) or other Office file", remedy = spreadsheet;
    else if (length == 8 && memcmp(name, "mimetype", 8) == 0) what = "an OpenDocument file", remedy = spreadsheet;
    else if (length == 9 && memcmp(name, "meta.json", 9) == 0)
        what = "a model of nysel, not data", remedy = "a model comes before the data: nysel predict MODEL DATA";
    else if (ends_with(name, length, ".npy"))
        what = "an .npz archive", remedy = "save the array that is meant as .npy (numpy.save)";
    return ny_error(ctx, NY_ERR_DATA, "%s is %s; %s", file, what, remedy);
}

ny_status ny_magic_refuse(ny_ctx *ctx, const ny_source *s) {
    const char *bytes = s->bytes + s->at;
    int64_t held = s->size - s->at;
    if (held >= 4 && memcmp(bytes, "PK\003\004", 4) == 0) return refuse_zip(ctx, s->name, bytes, held);
    for (size_t k = 0; k < sizeof magics / sizeof *magics; k++) {
        const struct magic *m = &magics[k];
        if (held < m->size || memcmp(bytes, m->bytes, (size_t)m->size) != 0) continue;
        if (m->letters && !no_text(bytes, held)) continue;
        return ny_error(ctx, NY_ERR_DATA, "%s is %s; %s", s->name, m->what, m->remedy);
    }
    if (held >= 2 && (unsigned char)bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5)
        return ny_error(ctx, NY_ERR_DATA, "%s is a Python pickle; %s", s->name, PANDAS("read_pickle"));
    return NY_OK;
}
