/* test_codes.c: the coding of classes, and every decoding of every coding against its definition: codes that are told
 * apart, decisions, probabilities that agree with them. */
#include "codes/codes.h"

#include <math.h>

#include "machine/calibration.h"
#include "model/record.h"
#include "support.h"

enum { CLASSES = 40, OUTPUTS = CLASSES * (CLASSES - 1) / 2 };

static double f[OUTPUTS], score[CLASSES], M[CLASSES][OUTPUTS];

/* What is tested for every coding, decoding and number of classes; M is the code matrix. */
typedef void check_fn(ny_coding coding, int64_t classes, int64_t outputs);

static void everywhere(check_fn *check) {
    for (int64_t m = 0; ny_multiclass_at(m); m++)
        for (int64_t classes = 2; classes <= CLASSES; classes++)
            for (int d = 0; d < NY_DECODINGS; d++) {
                ny_coding coding = {ny_multiclass_at(m), (ny_decoding)d};
                int64_t outputs = ny_codes_outputs(coding.method, classes);
                assert_in_range(outputs, 1, classes > 2 ? OUTPUTS : 1);
                for (int64_t k = 0; k < classes; k++) ny_codes_row(coding.method, classes, k, 1, M[k]);
                check(coding, classes, outputs);
            }
}

static void names(void **state) {
    (void)state;
    for (int64_t m = 0; ny_multiclass_at(m); m++)
        assert_ptr_equal(ny_multiclass_find(ny_multiclass_at(m)->name), ny_multiclass_at(m));
    assert_null(ny_multiclass_find("none"));
    ny_decoding d;
    for (int i = 0; i < NY_DECODINGS; i++) assert_true(ny_decoding_find(ny_decoding_names[i], &d) && (int)d == i);
    assert_false(ny_decoding_find("votes", &d));
}

static void check_matrix(ny_coding coding, int64_t classes, int64_t outputs) {
    for (int64_t k = 0; k < classes; k++) {
        double strided[3 * OUTPUTS];
        ny_codes_row(coding.method, classes, k, 3, strided);
        for (int64_t j = 0; j < outputs; j++) {
            assert_true(M[k][j] == -1 || M[k][j] == 0 || M[k][j] == 1);
            assert_true(M[k][j] == ny_codes_code(coding.method, classes, k, j) && M[k][j] == strided[3 * j]);
        }
        for (int64_t other = 0; other < k; other++) { /* some output has the two on different sides */
            bool apart = false;
            for (int64_t j = 0; j < outputs; j++) apart |= M[k][j] * M[other][j] < 0;
            assert_true(apart);
        }
    }
    for (int64_t j = 0; j < outputs; j++) { /* each output has both sides */
        double column[CLASSES];
        ny_codes_column(coding.method, classes, j, column);
        for (int64_t k = 0; k < classes; k++) assert_true(column[k] == M[k][j]);
        bool plus = false, minus = false;
        for (int64_t k = 0; k < classes; k++) plus |= M[k][j] > 0, minus |= M[k][j] < 0;
        assert_true(plus && minus);
    }
}

static void matrices(void **state) {
    (void)state;
    everywhere(check_matrix);
}

/* Outputs that are just the codes of class k decide for k. */
static void check_own_codes(ny_coding coding, int64_t classes, int64_t outputs) {
    (void)outputs;
    for (int64_t k = 0; k < classes; k++) {
        assert_int_equal(ny_codes_decide(coding, classes, M[k]), k);
        ny_codes_scores(coding, classes, M[k], score);
        for (int64_t other = 0; other < classes; other++) assert_true(other == k || score[other] < score[k]);
    }
}

static void own_codes(void **state) {
    (void)state;
    everywhere(check_own_codes);
}

/* Wrong signs and squared loss of class k, as they are defined. */
static double wrong_signs(int64_t outputs, int64_t k) {
    double wrong = 0;
    for (int64_t j = 0; j < outputs; j++) wrong += M[k][j] != 0 && M[k][j] != (f[j] > 0 ? 1 : -1);
    return wrong;
}

static double squared_loss(int64_t outputs, int64_t k) {
    double loss = 0;
    for (int64_t j = 0; j < outputs; j++)
        if (M[k][j] != 0) loss += (1 - M[k][j] * f[j]) * (1 - M[k][j] * f[j]);
    return loss;
}

/* Between any two classes the scores say what the definitions say. */
static void check_definition(ny_coding coding, int64_t classes, int64_t outputs) {
    bool hamming = coding.decoding == NY_DECODING_HAMMING;
    if (coding.decoding == NY_DECODING_AUTO && coding.method->decode) return;
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, (uint32_t)classes);
    for (int round = 0; round < 20; round++) {
        double size = round % 4 == 3 ? 30 : 0.7;
        for (int64_t j = 0; j < outputs; j++) f[j] = size * ny_rng_normal(&rng);
        if (round % 4 == 2) memcpy(f, M[round % classes], sizeof f), f[round % outputs] *= -0.3;
        ny_codes_scores(coding, classes, f, score);
        for (int64_t a = 0; a < classes; a++)
            for (int64_t b = 0; b < a; b++) {
                double signs = hamming ? wrong_signs(outputs, b) - wrong_signs(outputs, a) : 0;
                double loss = squared_loss(outputs, b), difference = loss - squared_loss(outputs, a);
                if (signs == 0 && fabs(difference) < 1e-6 * (1 + loss)) continue;
                assert_int_equal(score[a] > score[b], signs != 0 ? signs > 0 : difference > 0);
            }
    }
}

static void definitions(void **state) {
    (void)state;
    everywhere(check_definition);
}

/* The largest probability is the decided class, whatever the slopes; also of outputs that tie or are huge. */
static void check_probabilities(ny_coding coding, int64_t classes, int64_t outputs) {
    static const double slopes[][2] = {{1, 1}, {1e-3, 40}, {25, 1e-3}, {300, 300}};
    static const double sizes[] = {0.7, 1e-9, 1e6, 1e160};
    double p[CLASSES];
    ny_rng rng = ny_rng_make(4, NY_RNG_TEST, (uint32_t)classes);
    for (int round = 0; round < 32; round++) {
        for (int64_t j = 0; j < outputs; j++) f[j] = sizes[round / 4 % 4] * ny_rng_normal(&rng);
        if (round >= 16) /* ties */
            for (int64_t j = 0; j < outputs; j++) f[j] = f[j] > 0 ? sizes[round / 4 % 4] : -sizes[round / 4 % 4];
        int64_t decided = ny_calibrated(coding, classes, f, slopes[round % 4], score, p);
        assert_int_equal(decided, ny_codes_decide(coding, classes, f));
        double sum = 0;
        for (int64_t k = 0; k < classes; k++) {
            assert_true(p[k] >= 0 && p[k] <= p[decided]);
            sum += p[k];
        }
        assert_close(sum, 1, 1e-12);
    }
}

static void probabilities(void **state) {
    (void)state;
    everywhere(check_probabilities);
}

static void ovo(void **state) {
    (void)state;
    ny_coding coding = {ny_multiclass_find("ovo"), NY_DECODING_AUTO};
    static const int expected[3][3] = {{-1, -1, 0}, {1, 0, -1}, {0, 1, 1}}; /* class by pair (0,1), (0,2), (1,2) */
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) assert_int_equal(ny_codes_code(coding.method, 3, k, j), expected[k][j]);
    ny_codes_scores(coding, 3, (double[]){0.9, -0.2, 0.5}, score); /* 1 beats 0, 0 beats 2, 2 beats 1: a tie of votes */
    assert_true(score[1] > 1 && score[1] < 2 && score[0] > 1 && score[2] > 1);
    assert_int_equal(ny_codes_decide(coding, 3, (double[]){0.9, -0.2, 0.5}), 1); /* margins -0.7, 0.4, 0.3 */
    assert_int_equal(ny_codes_decide(coding, 3, (double[]){100, 100, 100}), 2);
    assert_int_equal(ny_codes_decide(coding, 2, (double[]){0.1}), 1);
    assert_int_equal(ny_codes_decide(coding, 2, (double[]){-0.1}), 0);
}

/* The loss of one-vs-all orders the classes as the outputs do. By Hamming distance its own code with another output
 * turned is a tie of two: a weak output loses it, a strong one wins it. */
static void ova(void **state) {
    (void)state;
    ny_coding loss = {ny_multiclass_find("ova"), NY_DECODING_LOSS}, own = {loss.method, NY_DECODING_AUTO};
    ny_coding hamming = {loss.method, NY_DECODING_HAMMING};
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, 0);
    for (int64_t classes = 2; classes <= CLASSES; classes++) {
        for (int round = 0; round < 50; round++) {
            for (int64_t j = 0; j < classes; j++) f[j] = ny_rng_normal(&rng);
            assert_int_equal(ny_codes_decide(loss, classes, f), ny_codes_decide(own, classes, f));
        }
        for (int64_t k = 0; classes > 2 && k < classes; k++) {
            int64_t other = (k + 1) % classes;
            ny_codes_row(loss.method, classes, k, 1, f);
            f[other] = 0.4;
            assert_int_equal(ny_codes_decide(hamming, classes, f), k);
            f[other] = 1.4;
            assert_int_equal(ny_codes_decide(hamming, classes, f), other);
        }
    }
}

/* q = ceil(log2 K); a code with one output turned is another class's own, where there is such a class. */
static void moc(void **state) {
    (void)state;
    const ny_multiclass *method = ny_multiclass_find("moc");
    static const int64_t expected[][2] = {{2, 1}, {3, 2}, {4, 2}, {5, 3}, {8, 3}, {9, 4}, {26, 5}, {32, 5}, {33, 6}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(ny_codes_outputs(method, expected[i][0]), expected[i][1]);
    assert_int_equal(ny_codes_code(method, 5, 4, 2), 1);
    assert_int_equal(ny_codes_code(method, 5, 3, 2), -1);
    for (int64_t classes = 3; classes <= CLASSES; classes++)
        for (int64_t k = 0; k < classes; k++)
            for (int64_t j = 0; j < ny_codes_outputs(method, classes); j++)
                for (int d = 0; d < NY_DECODINGS; d++) {
                    ny_codes_row(method, classes, k, 1, f);
                    f[j] = -f[j];
                    int64_t turned = k ^ (int64_t)1 << j,
                            decided = ny_codes_decide((ny_coding){method, (ny_decoding)d}, classes, f);
                    if (turned < classes) assert_int_equal(decided, turned);
                    else assert_true(decided < classes);
                }
    /* Its own way of decoding is the least loss, to the last bit. */
    ny_rng rng = ny_rng_make(6, NY_RNG_TEST, 0);
    for (int64_t classes = 3; classes <= CLASSES; classes++) {
        double own[CLASSES], loss[CLASSES];
        for (int64_t j = 0; j < ny_codes_outputs(method, classes); j++) f[j] = 3 * ny_rng_normal(&rng);
        ny_codes_scores((ny_coding){method, NY_DECODING_AUTO}, classes, f, own);
        ny_codes_scores((ny_coding){method, NY_DECODING_LOSS}, classes, f, loss);
        for (int64_t k = 0; k < classes; k++) assert_true(own[k] == loss[k]);
    }
}

/* Training and prediction with every coding and decoding: labels follow from the outputs, and probabilities agree. The
 * classes are round and alike, so nothing is better than the nearest of their centres, and nothing should be much
 * worse.
 */
static void whole_way(void **state) {
    (void)state;
    enum { N = 250, K = 5 };
    static double X[N * 2], target[N], value[N], proba[N * K], scores[N * K * (K - 1) / 2];
    int least = 0; /* errors of the nearest centre */
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    ny_rng rng = ny_rng_make(6, NY_RNG_TEST, 0);
    for (int i = 0; i < N; i++) {
        target[i] = i % K;
        X[2 * i] = cos(1.3 * target[i]) + 0.5 * ny_rng_normal(&rng);
        X[2 * i + 1] = sin(1.3 * target[i]) + 0.5 * ny_rng_normal(&rng);
        int nearest = 0;
        for (int k = 1; k < K; k++)
            if (X[2 * i] * (cos(1.3 * k) - cos(1.3 * nearest)) + X[2 * i + 1] * (sin(1.3 * k) - sin(1.3 * nearest)) > 0)
                nearest = k; /* the centres are on a circle */
        least += nearest != i % K;
    }
    must(ctx, ny_data_from_rows(ctx, N, 2, X, target, &data));
    for (int64_t m = 0; ny_multiclass_at(m); m++)
        for (int d = 0; d < NY_DECODINGS; d++) {
            const char *name = ny_multiclass_at(m)->name;
            ny_options *o =
                make_options(ctx, "task", "multiclass", "multiclass", name, "decoding", ny_decoding_names[d], "kernel",
                             "rbf", "bandwidth", "1", "landmarks", "30", "select-on", d == 2 ? "error" : "mse", NULL);
            ny_model *model = NULL;
            must(ctx, ny_train(ctx, data, o, &model));
            assert_ptr_equal(model->coding.method, ny_multiclass_at(m));
            assert_int_equal(model->coding.decoding, d);
            must(ctx, ny_predict(ctx, model, data, NULL, value, proba, scores));
            int wrong = 0;
            for (int i = 0; i < N; i++) {
                int64_t label = (int64_t)value[i];
                assert_int_equal(label, ny_codes_decide(model->coding, K, scores + i * model->f.outputs));
                for (int k = 0; k < K; k++) assert_true(proba[k + i * K] <= proba[label + i * K]);
                wrong += label != i % K;
            }
            assert_true(wrong <= 1.1 * least && model->record->expected.error * N >= 0.9 * least &&
                        model->record->expected.error * N <= 1.15 * least);
            ny_model_free(model);
            ny_options_free(o);
        }
    ny_data_free(data);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),       cmocka_unit_test(matrices),  cmocka_unit_test(own_codes),
        cmocka_unit_test(definitions), cmocka_unit_test(ova),       cmocka_unit_test(ovo),
        cmocka_unit_test(moc),         cmocka_unit_test(whole_way), cmocka_unit_test(probabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
