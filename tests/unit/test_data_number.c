/* test_data_number.c: the number parser against strtod, bit for bit, and the formatter against the parser. */
#include <locale.h>
#include <math.h>
#include <unistd.h>

#include "base/number.h"
#include "support.h"

static void same_bits(const char *text) {
    double mine = -1, theirs = strtod(text, NULL);
    if (!ny_number_parse(text, (int64_t)strlen(text), &mine)) fail_msg("'%s' was refused", text);
    if (memcmp(&mine, &theirs, sizeof mine) != 0) fail_msg("'%s' gave %a, strtod gives %a", text, mine, theirs);
}

static const char *const hard[] = {
    "0",
    "-0",
    "+0",
    "0.0",
    "-0.0e5",
    "1",
    "-1",
    "+1",
    "1.",
    ".5",
    "-.5",
    "1e0",
    "1E+5",
    "1e-5",
    "007",
    "0.1",
    "0.3",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "9007199254740993.0",
    "9007199254740994",
    "9007199254740993.00000000000000000000000000000001",
    "18446744073709551615",
    "18446744073709551616",
    "9999999999999999999",
    "99999999999999999999",
    "1e22",
    "1e23",
    "1e27",
    "1e28",
    "123456789012345678e-27",
    "8.5e22",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "1e309",
    "-1e309",
    "2.2250738585072014e-308",
    "2.2250738585072011e-308",
    "2.2250738585072012e-308",
    "4.9406564584124654e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "1e-400",
    "1e-99999999999999999999",
    "1e99999999999999999999",
    "0e999999999999",
    "0.000000000000000000000000000000000000000000000000000000000012345678901234567890",
    "6.02214076e23",
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899",
    "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692"
    "887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842"
    "91"
    "48198608349364752927190741684443655107043427115596995080930428801779041744977.9",
};

static void hard_cases(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) same_bits(hard[i]);
}

static void random_cases(void **state) {
    (void)state;
    static const char *const formats[] = {"%.17g", "%.16g", "%.15g", "%.6g", "%.19g",
                                          "%.25g", "%.3f",  "%.17e", "%.40e"};
    ny_rng rng = ny_rng_make(1, NY_RNG_TEST, 0);
    char text[512];
    for (int i = 0; i < 300000; i++) {
        uint64_t bits = ny_rng_bits(&rng);
        double v;
        memcpy(&v, &bits, sizeof v);
        if (i % 3) v = ny_rng_normal(&rng) * pow(10, (double)ny_rng_below(&rng, 40) - 20);
        if (!isfinite(v)) continue;
        const char *format = formats[i % (int)(sizeof formats / sizeof *formats)];
        if (fabs(v) > 1e100 && strcmp(format, "%.3f") == 0) format = "%.17g";
        snprintf(text, sizeof text, format, v);
        same_bits(text);
    }
}

/* Halfway between two doubles, and a hair to either side: the cases where a second rounding would show. */
static void halfway_cases(void **state) {
    (void)state;
    ny_rng rng = ny_rng_make(2, NY_RNG_TEST, 0);
    char text[64];
    for (int i = 0; i < 100000; i++) {
        uint64_t m = (1ull << 53) + 2 * (ny_rng_bits(&rng) >> 12) + 1; /* 54 bits, odd: exactly half */
        int shift = (int)ny_rng_below(&rng, 9);
        snprintf(text, sizeof text, "%llu", (unsigned long long)(m << shift));
        same_bits(text);
        snprintf(text, sizeof text, "%llu.%de-%d", (unsigned long long)m, (int)ny_rng_below(&rng, 10),
                 (int)ny_rng_below(&rng, 30));
        same_bits(text);
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)(ny_rng_bits(&rng) >> ny_rng_below(&rng, 64)),
                 (int)ny_rng_below(&rng, 60) - 30);
        same_bits(text);
    }
}

static void many_digits(void **state) {
    (void)state;
    static char text[6000];
    for (int zeros = 0; zeros < 5000; zeros += 499) {
        int n = snprintf(text, sizeof text, "0.");
        memset(text + n, '0', (size_t)zeros);
        snprintf(text + n + zeros, 100, "123456789012345678901e%d", zeros + 3);
        same_bits(text);
        /* 1 + 2^-53 exactly, then zeros and a last 1: just above halfway */
        n = snprintf(text, sizeof text, "1.00000000000000011102230246251565404236316680908203125");
        same_bits(text);
        memset(text + n, '0', (size_t)zeros);
        strcpy(text + n + zeros, "1");
        same_bits(text);
    }
}

static void refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",    "-",   "+",  ".",  "-.",  "e5",  "1e",  "1e+", "1.5.2", "abc",   "1a",
                                      "0x1", "1,5", " 1", "1 ", "--1", "+-1", "inf", "nan", "1e5.5", "1_000", "1d5"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double v;
        if (ny_number_parse(bad[i], (int64_t)strlen(bad[i]), &v)) fail_msg("'%s' was taken as a number", bad[i]);
    }
}

/* A number ends where its text ends, whatever follows in memory. */
static void ends_in_time(void **state) {
    (void)state;
    double v;
    assert_true(ny_number_parse("12345", 3, &v) && v == 123);
    assert_true(ny_number_parse("1.2345678901234567890123456789", 22, &v) && v == 1.23456789012345678901);
    assert_true(ny_number_parse("1e55", 3, &v) && v == 1e5);
    assert_false(ny_number_parse("1e55", 2, &v));
}

static void words(void **state) {
    (void)state;
    static const char *const missing[] = {"", "NA", "N/A", "?", "null", "NULL", "nan", "NaN", "NAN", "-nan", "+NaN"};
    static const char *const present[] = {"na", "n", "-", "??", "nano", "None", "0", "nul", "Null1"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        assert_true(ny_text_missing(missing[i], (int64_t)strlen(missing[i])));
    for (size_t i = 0; i < sizeof present / sizeof *present; i++)
        assert_false(ny_text_missing(present[i], (int64_t)strlen(present[i])));
    assert_true(ny_number_infinite("inf", 3) && ny_number_infinite("-Infinity", 9) && ny_number_infinite("+INF", 4));
    assert_false(ny_number_infinite("info", 4) || ny_number_infinite("", 0) || ny_number_infinite("-", 1));
    int64_t whole;
    assert_true(ny_number_whole("9223372036854775807", 19, &whole) && whole == INT64_MAX);
    assert_false(ny_number_whole("9223372036854775808", 19, &whole));
    assert_true(ny_number_whole("-12", 3, &whole) && whole == -12);
    assert_false(ny_number_whole("1.0", 3, &whole) || ny_number_whole("", 0, &whole) ||
                 ny_number_whole("-", 1, &whole));
}

static void formats_shortest(void **state) {
    (void)state;
    static const struct {
        double v;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {1, "1"},
        {-2.5, "-2.5"},
        {1e22, "1e+22"},
        {1.0 / 3, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {5e-324, "4.94065645841247e-324"},
    };
    char text[NY_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int length = ny_number_format(cases[i].v, text);
        assert_int_equal(length, strlen(text));
        assert_string_equal(text, cases[i].text);
    }
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 0);
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = ny_rng_bits(&rng);
        double v, back = 0;
        memcpy(&v, &bits, sizeof v);
        if (!isfinite(v)) continue;
        ny_number_format(v, text);
        assert_true(ny_number_parse(text, (int64_t)strlen(text), &back) && back == v);
    }
}

/* A locale with a decimal comma: one that the machine has, or one made here. */
static bool set_comma(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_NUMERIC, names[i])) return true;
    char folder[4096];
    if (!getcwd(folder, sizeof folder) || setenv("LOCPATH", folder, 1) != 0) return false;
    int status = system("localedef --no-archive -i de_DE -f UTF-8 ./de_DE.UTF-8 2>/dev/null");
    return status == 0 && setlocale(LC_NUMERIC, "de_DE.UTF-8");
}

/* Under a locale with a decimal comma both directions must still speak with a point. */
static void ignores_locale(void **state) {
    (void)state;
    if (!set_comma()) skip();
    char comma[16];
    snprintf(comma, sizeof comma, "%.1f", 1.5);
    assert_string_equal(comma, "1,5"); /* so that there is something to ignore */
    char text[NY_NUMBER_TEXT];
    double v = 0;
    ny_number_format(1.5, text);
    bool slow = ny_number_parse("1.2345678901234567890123", 24, &v) && v == 1.2345678901234567890123;
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "1.5");
    assert_true(slow);
}

static void excerpts(void **state) {
    (void)state;
    char out[NY_EXCERPT];
    assert_string_equal(ny_excerpt("a\tb\x01", 4, out), "a?b?");
    char text[200];
    memset(text, 'x', sizeof text);
    assert_string_equal(ny_excerpt(text, 200, out) + NY_EXCERPT - 4, "...");
    memcpy(text + NY_EXCERPT - 5, "\xc3\xa9", 2); /* a two-byte letter across the cut is left out whole */
    assert_int_equal(strlen(ny_excerpt(text, 200, out)), NY_EXCERPT - 5 + 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hard_cases),  cmocka_unit_test(random_cases),     cmocka_unit_test(halfway_cases),
        cmocka_unit_test(many_digits), cmocka_unit_test(refused),          cmocka_unit_test(ends_in_time),
        cmocka_unit_test(words),       cmocka_unit_test(formats_shortest), cmocka_unit_test(ignores_locale),
        cmocka_unit_test(excerpts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
