import type { Log } from '../../lib/log.ts';
import type { ToolSecrets } from './ports.ts';

/** A log whose lines are looked through before they are written. */
export const scrubLog = (log: Log, scrub: ToolSecrets['scrub']): Log => ({
  debugs: log.debugs,
  debug: (message, fields) => log.debug(scrub(message), scrub(fields)),
  info: (message, fields) => log.info(scrub(message), scrub(fields)),
  warn: (message, fields) => log.warn(scrub(message), scrub(fields)),
  error: (message, fields) => log.error(scrub(message), scrub(fields)),
  with: (fields) => scrubLog(log.with(scrub(fields)), scrub),
});
