/* selection.c: what a selection owns, and the rows of a level. */
#include "selection.h"

#include "contest.h"

ny_selection ny_selection_of(ny_ctx *ctx, const ny_setup *setup, const ny_training_rows *rows) {
    int64_t rank = setup->options->rank == NY_AUTO ? 0 : setup->options->rank; /* auto: ranks.c finds it later */
    return (ny_selection){.ctx = ctx, .setup = setup, .now = *setup, .rows = rows, .plan = {.rank = rank}};
}

void ny_cache_clear(ny_cache *cache) {
    ny_rows_clear(&cache->subset);
    ny_landmarks_clear(&cache->common);
    for (int64_t c = 0; c < NY_KERNELS_MAX; c++) ny_free(cache->hint[c].C);
    *cache = (ny_cache){0};
}

void ny_selection_clear(ny_selection *sel) {
    ny_cache_clear(&sel->cache);
    ny_solution_clear(&sel->found.best);
    ny_contenders_clear(&sel->found.tried);
    ny_contest_clear(sel);
    ny_free(sel->found.trial);
    *sel = (ny_selection){0};
}

ny_status ny_rows_of_level(ny_selection *sel, int64_t asked, const ny_rows **out) {
    ny_status st = NY_OK;
    const ny_rows *all = &sel->rows->all;
    ny_cache *cache = &sel->cache;
    *out = asked < all->n ? &cache->subset : all;
    if (asked >= all->n || cache->subset_asked == asked) return NY_OK;
    ny_rows_clear(&cache->subset);
    cache->subset_asked = 0;
    NY_TRY(ny_rows_draw(sel->ctx, sel->setup, sel->rows, asked, &cache->subset));
    cache->subset_asked = asked;
done:
    return st;
}
