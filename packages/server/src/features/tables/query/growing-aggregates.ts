const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Aggregates whose state grows with each value they are given. */
export const collectingAggregates = words('string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg');

export const countingAggregates: ReadonlySet<string> = new Set([
  ...collectingAggregates,
  ...words(`count sum avg min max bool_and bool_or every stddev stddev_pop stddev_samp variance var_pop var_samp corr
    percentile_cont percentile_disc mode`),
]);
