import { ModelError } from '../../../drivers/models/driver.ts';

/** How servers say that a prompt is longer than their model takes. */
const tooLong =
  /context[ _](length|window|size)|(prompt|input|request|messages?) (is|are|was|has) too (long|large|many)|(prompt|input) tokens? .*exceed|too many (input |prompt )?tokens|exceeds? the (maximum|model'?s?|available) .*(tokens?|context)|input token count/i;
const statedWindow = /(?:maximum|limit|most|up to|supports?|window|>)\D{0,60}?(\d{3,})(?! tokens? (?:in|from|were))/i;

/** The tokens that a server says its model takes; null when it says no number, undefined when it refuses something else. */
export function refusedContext(error: unknown): { window: number | null } | undefined {
  if (!(error instanceof ModelError) || ![400, 413, 422].includes(error.status ?? 0)) return undefined;
  if (!tooLong.test(error.message)) return undefined;
  const stated = Number(statedWindow.exec(error.message.replaceAll(/(\d),(?=\d{3})/g, '$1'))?.[1]);
  return { window: stated > 0 ? stated : null };
}
