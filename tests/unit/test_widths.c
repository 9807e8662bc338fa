/* test_widths.c: steps of a search along bandwidths. */
#include "search/widths.h"

#include <math.h>

#include "support.h"

static ny_widths three(double low, double middle, double high) {
    return (ny_widths){.count = 3, .x = {0, 1, 3}, .value = {low, middle, high}};
}

static void the_vertex_of_a_parabola(void **state) {
    (void)state;
    ny_widths l = three(2, 1, 5); /* 1 + (x - 1)^2 */
    assert_true(fabs(ny_widths_vertex(&l, 1) - 1) < 1e-12);
    l = three(1.5 * 1.5, 0.25, 1.5 * 1.5); /* (x - 1.5)^2 */
    assert_true(fabs(ny_widths_vertex(&l, 1) - 1.5) < 1e-12);
}

/* The smallest of bandwidths that are alike counts as the best, although a neighbour may be lower by a hair. The
 * parabola is then all but flat, and its minimum anywhere: a default svr went from bandwidth 0.5 to 261. */
static void it_stays_between_the_neighbours(void **state) {
    (void)state;
    for (int k = -20; k <= 20; k++) {
        ny_widths l = three(1 + 1e-4, 1, 1 - 2e-4 + 1e-8 * k);
        double x = ny_widths_vertex(&l, 1);
        assert_true(x >= 0.5 && x <= 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vertex_of_a_parabola),
        cmocka_unit_test(it_stays_between_the_neighbours),
    };
    return cmocka_run_group_tests_name("bandwidths", tests, NULL, NULL);
}
