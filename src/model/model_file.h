/* model_file.h: what the writer and the reader of model files share, and the reader's entrance for the fuzzer. */
#ifndef NY_MODEL_FILE_H
#define NY_MODEL_FILE_H

#include "record.h"

#define NY_ENTRY_META "meta.json"
#define NY_ENTRY_SHIFT "scale_shift.npy"
#define NY_ENTRY_FACTOR "scale_factor.npy"
#define NY_ENTRY_LANDMARKS "landmarks.npy"
#define NY_ENTRY_PTR "landmarks_ptr.npy"
#define NY_ENTRY_IDX "landmarks_idx.npy"
#define NY_ENTRY_VAL "landmarks_val.npy"
#define NY_ENTRY_BETA "beta.npy"
#define NY_ENTRY_BIAS "bias.npy"
#define NY_ENTRY_C "C.npy"
#define NY_ENTRY_CALIBRATION "calibration.npy"
/* Not in every model: */
#define NY_ENTRY_RANGE "range.npy"
#define NY_ENTRY_KNOTS "scale_knots.npy"
#define NY_ENTRY_KNOTS_PTR "scale_knots_ptr.npy"
#define NY_ENTRY_KNOTS_Z "scale_knots_z.npy"
#define NY_ENTRY_LOG "scale_log.npy"
#define NY_ENTRY_POINTS "machine_points.npy" /* of several machines: which of the landmarks each has */
#define NY_ENTRY_FREQUENCY "frequency.npy"
#define NY_ENTRY_PRIOR "prior.npy"
#define NY_ENTRY_MAP "posterior_map.npy"
#define NY_ENTRY_MEAN "posterior_mean.npy"
#define NY_ENTRY_DIAG "posterior_diagonal.npy"
#define NY_ENTRY_OFF "posterior_off_diagonal.npy"
#define NY_ENTRY_NOISE "posterior_noise.npy"
#define NY_ENTRY_SHARE "posterior_share.npy"
#define NY_ENTRY_SPREAD "posterior_spread.npy" /* older files have none: 1 */
#define NY_ENTRY_QUANTILE "quantiles.npy"
#define NY_ENTRY_MODERATION "moderation.npy"

/* A model file's bytes instead of its path; `name` is for messages. */
ny_status ny_model_load_memory(ny_ctx *ctx, const void *bytes, int64_t size, const char *name, ny_model **model);

#endif
