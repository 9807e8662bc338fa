/* test_lines.c: numbers as one would say them. */
#include "with_ctx.h"

#include "report/lines.h"

static void test_seconds(void **state) {
    (void)state;
    assert_string_equal(ny_say_seconds(0.844).text, "0.84 s");
    assert_string_equal(ny_say_seconds(12.34).text, "12.3 s");
    assert_string_equal(ny_say_seconds(200.4).text, "3 min 20 s");
    assert_string_equal(ny_say_seconds(605).text, "10 min 05 s");
    assert_string_equal(ny_say_seconds(7500).text, "2 h 05 min");
}

static void test_numbers_and_bytes(void **state) {
    (void)state;
    assert_string_equal(ny_say_number(0.07314).text, "0.0731");
    assert_string_equal(ny_say_number(1024.4).text, "1024");
    assert_string_equal(ny_say_number(-1.5e9).text, "-1.5e+09");
    assert_string_equal(ny_say_bytes(61234567).text, "61 MB");
    assert_string_equal(ny_say_bytes(1234567890).text, "1.2 GB");
    assert_string_equal(ny_say_percent(0.0666).text, "6.7%");
    assert_string_equal(ny_say_percent(0.0003).text, "0.03%");
    assert_string_equal(ny_say_percent(0).text, "0.0%");
}

/* A field counts characters, not bytes, and cuts none of them in two. */
static void test_fields(void **state) {
    (void)state;
    ny_lines t = {.ctx = ctx};
    char *text = NULL;
    ny_lines_field(&t, "h\xc3\xa9llo", 4);
    ny_lines_add(&t, "|");
    ny_lines_field(&t, "\xc3\xa9", -3);
    ny_lines_add(&t, "|");
    ny_lines_field(&t, "ab", 4);
    must(ctx, ny_lines_take(&t, &text));
    assert_string_equal(text, "h\xc3\xa9ll|  \xc3\xa9|ab  ");
    ny_text_free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_seconds), cmocka_unit_test(test_numbers_and_bytes),
                                       cmocka_unit_test(test_fields)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
