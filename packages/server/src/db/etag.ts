import { sql } from './sql.ts';

/** The version of a record whose table moves it on. */
export const versionColumns = sql`etag::text as etag, to_timestamp(etag / 1000000.0) as updated_at,
  etag_by as updated_by`;
/** That of a record which is not there yet. */
export const absentVersion = { etag: '0', updated_at: null, updated_by: null };

/** `<ms>-<seq>`, rising with every change, also of two in one millisecond or after a clock was set back. */
export const etagColumn = sql`etag_ms || '-' || etag_seq as etag`;

export const nextEtag = () => {
  const now = Date.now();
  return sql`etag_seq = case when etag_ms < ${now} then 0 else etag_seq + 1 end, etag_ms = greatest(etag_ms, ${now})`;
};
