const [KB, MB] = [1024, 1024 * 1024];

/** What one query of a caller may use. docs/tables.md has them. */
export const queryBounds = {
  answer_bytes: 8 * MB,
  /** When the statement is ended from outside; the session's own timeout comes a second earlier. */
  deadline_ms: 6000,
  slots: { total: 8, each: 2, waiting: 20 },
  /** How much more than at its start the backend's memory may be. */
  memory_bytes: 256 * MB,
  /** Tables, subqueries and functions in FROM, each with a memory of its own in a plan. */
  sources: 20,
  aggregates: 100,
  /** Aggregates that keep all they are given. */
  collecting: 8,
  /** The length that char(n) pads to. */
  padding: 1000,
  /**
   * The longest row that an expression may make, where a row of a table has `row_bytes` and an aggregate collects
   * `collected_bytes`. Real rows may be longer: the limit is about how often a query repeats them.
   */
  value_bytes: 4 * MB,
  row_bytes: 64 * KB,
  collected_bytes: 256 * KB,
} as const;
