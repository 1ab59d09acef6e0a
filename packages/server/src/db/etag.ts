import { sql } from './sql.ts';

/** `<ms>-<seq>`, rising with every change, also of two in one millisecond or after a clock was set back. */
export const etagColumn = sql`etag_ms || '-' || etag_seq as etag`;

export const nextEtag = () => {
  const now = Date.now();
  return sql`etag_seq = case when etag_ms < ${now} then 0 else etag_seq + 1 end, etag_ms = greatest(etag_ms, ${now})`;
};
