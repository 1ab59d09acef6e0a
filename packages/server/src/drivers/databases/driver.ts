/** Rows of an answer, as far as they were asked for. */
export interface QueryAnswer {
  columns: string[];
  rows: Record<string, unknown>[];
  /** There were more. */
  cut: boolean;
  /** How many rows a statement touched; null for one that only reads. */
  changed: number | null;
}

export interface QueryOptions {
  writes: boolean;
  max_rows: number;
  timeout_ms: number;
  signal: AbortSignal;
}

/** Databases outside of this installation, reached by connection strings of users. */
export interface Databases {
  query(dsn: string, text: string, values: readonly unknown[], options: QueryOptions): Promise<QueryAnswer>;
}

/** A query failed. The message never says how the database is reached. */
export class DatabaseQueryError extends Error {}
