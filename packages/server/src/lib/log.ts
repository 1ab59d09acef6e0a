export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';
type Fields = Record<string, unknown>;

export interface Log {
  /** Whether debug lines are written at all; for callers whose lines are not free to put together. */
  readonly debugs: boolean;
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** The same log with fields that every line of it carries. */
  with(fields: Fields): Log;
}

const order: LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** An error as log fields: its own words and stack, never the request that caused it. */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.message, stack: error.stack, ...('code' in error && { error_code: error.code }) };
}

/** The same of an error whose words may quote what people wrote: what it is and where, not what it says. */
export function redactedErrorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  return { error: error.name, stack: frames?.join('\n'), ...('code' in error && { error_code: error.code }) };
}

/** One JSON object a line, on standard output. */
export function makeLog(
  level: LogLevel,
  write: (line: string) => void = (line) => process.stdout.write(line),
  bound: Fields = {},
): Log {
  const at = (own: LogLevel) =>
    order.indexOf(own) < order.indexOf(level)
      ? () => {}
      : (message: string, fields: Fields = {}) =>
          write(`${JSON.stringify({ time: new Date().toISOString(), level: own, message, ...bound, ...fields })}\n`);
  return {
    debugs: level === 'debug',
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => makeLog(level, write, { ...bound, ...fields }),
  };
}
