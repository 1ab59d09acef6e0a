import { text } from 'node:stream/consumers';
import parser from 'robots-parser';
import { type Web, WebRefused } from '../../../drivers/web/driver.ts';

/** The package says of itself that it is a module with a default; it is the function. */
const parse = parser as unknown as (
  url: string,
  rules: string,
) => { isAllowed(url: string, agent: string): boolean | undefined; getCrawlDelay(agent: string): number | undefined };

const agent = 'Atrium';
/** More of it nobody has to read (RFC 9309). */
const mostBytes = 512 * 1024;
const longestDelay = 30_000;

export interface Robots {
  allows(url: string): boolean;
  /** What the site asks to wait between two pages, in milliseconds. */
  delay_ms: number;
}

/** What a site asks of crawlers. One that can't say it now is left alone, for a reason that users are told. */
export async function fetchRobots(
  web: Web,
  site: string,
  signal: AbortSignal,
): Promise<{ rules: string } | { reason: string }> {
  try {
    const answer = await web.fetch(new URL('/robots.txt', site).href, {
      max_bytes: mostBytes,
      timeout_ms: 15_000,
      signal,
    });
    if (answer.status >= 200 && answer.status < 300) return { rules: await text(answer.body) };
    answer.body.destroy();
    if (answer.status >= 500 || answer.status === 429) return { reason: `it answered ${answer.status}` };
    return { rules: '' };
  } catch (error) {
    // It can't be reached, or its rules are longer than anybody reads: nothing of them can be kept.
    if (error instanceof WebRefused) return { reason: error.message };
    throw error;
  }
}

export function readRobots(site: string, rules: string): Robots {
  const robots = parse(new URL('/robots.txt', site).href, rules);
  const delay_ms = Math.min(longestDelay, Math.max(0, (robots.getCrawlDelay(agent) ?? 0) * 1000));
  // Of another host, or without encryption, its rules are the same: the site is one.
  const own = (url: string) => {
    const { pathname, search } = new URL(url);
    return new URL(`${pathname}${search}`, site).href;
  };
  return { delay_ms, allows: (url) => robots.isAllowed(own(url), agent) ?? true };
}
