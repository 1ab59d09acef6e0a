import { lowestIdAt } from '../lib/ids.ts';
import { nothing, type Sql, sql } from './sql.ts';

/** Clocks of servers and of the database differ by less than this, and so do the times in ids and `created_at`. */
const skew = 600_000;
const moved = (time: string, by: number) => lowestIdAt(Date.parse(time) + by);

/** The conditions of a filter by time, each after an `and`. The bound of the id lets the index on ids find the rows. */
export const createdBetween = ({
  created_after: after,
  created_before: before,
}: {
  created_after?: string | undefined;
  created_before?: string | undefined;
}): Sql => sql`
  ${after === undefined ? nothing : sql`and id >= ${moved(after, -skew)}::uuid and created_at >= ${after}::timestamptz`}
  ${before === undefined ? nothing : sql`and id < ${moved(before, skew)}::uuid and created_at < ${before}::timestamptz`}`;
