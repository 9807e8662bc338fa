/* test_model_npy.c: .npy headers, as numpy writes them and as an enemy would. */
#include "with_ctx.h"

#include "model/npy.h"

static void writes_what_numpy_writes(void **state) {
    (void)state;
    /* numpy.save of zeros((3, 4)), byte for byte */
    static const char expected[NY_NPY_HEADER + 1] =
        "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"
        "                                                          \n";
    char header[NY_NPY_HEADER];
    ny_npy array = {.type = NY_NPY_F64, .dims = 2, .shape = {3, 4}};
    ny_npy_header(&array, header);
    assert_memory_equal(header, expected, NY_NPY_HEADER);
    assert_int_equal(array.bytes, 96);
    assert_int_equal(ny_npy_header_length(header), NY_NPY_HEADER);
}

static void reads_what_it_writes(void **state) {
    (void)state;
    static const ny_npy cases[] = {
        {.type = NY_NPY_F64, .dims = 1, .shape = {0, 1}},         {.type = NY_NPY_F64, .dims = 1, .shape = {7, 1}},
        {.type = NY_NPY_I32, .dims = 1, .shape = {7, 1}},         {.type = NY_NPY_I64, .dims = 2, .shape = {1, 1}},
        {.type = NY_NPY_F64, .dims = 2, .shape = {0, 5}},         {.type = NY_NPY_F64, .dims = 2, .shape = {5, 0}},
        {.type = NY_NPY_I64, .dims = 1, .shape = {1LL << 59, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char header[NY_NPY_HEADER];
        ny_npy array = cases[i], back;
        ny_npy_header(&array, header);
        assert_int_equal(ny_npy_parse(ctx, header, NY_NPY_HEADER, NY_NPY_HEADER + array.bytes, &back), NY_OK);
        assert_memory_equal(&back, &array, sizeof back);
    }
}

/* A header with this dictionary, and a file of 8 * count bytes of numbers behind it. */
static ny_status parse(const char *dictionary, int64_t count, ny_npy *array) {
    char header[512];
    size_t text = strlen(dictionary);
    memcpy(header, "\x93NUMPY\x01", 7);
    header[7] = 0;
    header[8] = (char)(text & 255);
    header[9] = (char)(text >> 8);
    memcpy(header + 10, dictionary, text);
    return ny_npy_parse(ctx, header, 10 + (int64_t)text, 10 + (int64_t)text + 8 * count, array);
}

static void accepts_other_spellings(void **state) {
    (void)state;
    ny_npy array;
    assert_int_equal(parse("{'shape': (2, 3), 'fortran_order': False, 'descr': '<f8'}", 6, &array), NY_OK);
    assert_int_equal(array.shape[1], 3);
    assert_int_equal(parse("{'descr':'<i8','fortran_order':False,'shape':(6,)}   \n", 6, &array), NY_OK);
    assert_int_equal(array.dims, 1);
}

static void refuses_what_it_cannot_use(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",
        "{",
        "{}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), ",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (6,)} x",
        "{'descr': '<f8', 'fortran_order': True, 'shape': (6,)}",
        "{'descr': '>f8', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<f8', 'shape': (6,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (6)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-6,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 3)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (7,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (5,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999999,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952, 4)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), 'more': 1}",
        "{'descr': '<f8' 'fortran_order': False, 'shape': (6,)}",
    };
    ny_npy array;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse(bad[i], 6, &array) != NY_ERR_MODEL) fail_msg("accepted: %s", bad[i]);
}

static void refuses_other_files(void **state) {
    (void)state;
    assert_int_equal(ny_npy_header_length("\x93NUMPY\x02\x00v\x00"), -1);
    assert_int_equal(ny_npy_header_length("PK\x03\x04......"), -1);
    ny_npy array;
    assert_int_equal(ny_npy_parse(ctx, "\x93NUMPY\x01\x00v", 9, 9, &array), NY_ERR_MODEL);
    assert_int_equal(ny_npy_parse(ctx, "\x93NUMPY\x01\x00v\x00{}", 12, 12, &array), NY_ERR_MODEL);
}

/* Every prefix and every changed byte of a good header: any answer but a wrong read. */
static void survives_every_change_of_a_byte(void **state) {
    (void)state;
    char header[NY_NPY_HEADER];
    ny_npy array = {.type = NY_NPY_F64, .dims = 2, .shape = {3, 4}}, back;
    ny_npy_header(&array, header);
    for (int64_t length = 0; length < NY_NPY_HEADER; length++)
        assert_int_equal(ny_npy_parse(ctx, header, length, length + 96, &back), NY_ERR_MODEL);
    for (int i = 0; i < NY_NPY_HEADER; i++)
        for (int change = 1; change < 256; change++) {
            char changed[NY_NPY_HEADER];
            memcpy(changed, header, sizeof changed);
            changed[i] = (char)(changed[i] ^ change);
            if (ny_npy_parse(ctx, changed, NY_NPY_HEADER, NY_NPY_HEADER + 96, &back) == NY_OK)
                assert_int_equal(back.bytes, 96);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_what_numpy_writes), cmocka_unit_test(reads_what_it_writes),
        cmocka_unit_test(accepts_other_spellings),  cmocka_unit_test(refuses_what_it_cannot_use),
        cmocka_unit_test(refuses_other_files),      cmocka_unit_test(survives_every_change_of_a_byte),
    };
    return cmocka_run_group_tests_name("npy", tests, setup, teardown);
}
