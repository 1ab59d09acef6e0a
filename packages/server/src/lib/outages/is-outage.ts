/** The fields that errors of PostgreSQL and of sockets have. */
const fieldsOfError = (error: unknown): { code?: unknown; message?: unknown } =>
  typeof error === 'object' && error !== null ? error : {};

/** Whether PostgreSQL is away, silent, starting, full or a standby, or has ended a transaction that stood still. */
export function isOutage(error: unknown): boolean {
  const { code, message } = fieldsOfError(error);
  if (
    typeof code === 'string' &&
    /^(08|57P0|53|25006$|25P03$|40003$)|^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EPIPE|ENOENT)$/.test(
      code,
    )
  )
    return true;
  return (
    typeof message === 'string' &&
    /^(Connection terminated|timeout exceeded when trying to connect|timeout expired$|Query read timeout$|Client .* is not queryable$)/.test(
      message,
    )
  );
}
