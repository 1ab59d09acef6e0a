/** The error for everything that keeps the embedded server from starting; it always names the way out. */
export function cannotStart(reason: string, logTail?: string): Error {
  const tail = logTail?.trim();
  return new Error(
    `The embedded PostgreSQL cannot start: ${reason}${tail ? `\n${tail}\n` : ' '}` +
      'To use a PostgreSQL server of your own instead, set DATABASE_URL.',
  );
}
