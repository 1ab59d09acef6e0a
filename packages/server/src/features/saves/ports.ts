import type { Route } from '../../lib/route.ts';
import type { Scope } from '../../lib/scope.ts';

/** The row of the database that an operation changes. */
export interface SavedRow {
  table: string;
  /** Columns and values that find it: by its primary key, and only where the caller acts. */
  key: Readonly<Record<string, string>>;
  /** Its etag is `<ms>-<seq>`, which the program moves on. */
  counted?: boolean;
  /** It has a row of `record_versions`; writing a record moves its version on, whether or not its value is another one. */
  versioned?: true;
  /** The etag of a record that was never set. */
  absent?: string;
}

/** `service`: the service reads the version in its transaction and hands it to the check. */
export type FindSavedRow = (scope: Scope, params: Readonly<Record<string, string>>) => SavedRow | 'service';

/** Runs requests with If-Match. */
export interface Saves {
  run<T>(
    scope: Scope,
    route: Route,
    request: { params: unknown; if_match: string | undefined },
    work: () => Promise<T>,
  ): Promise<T>;
}
