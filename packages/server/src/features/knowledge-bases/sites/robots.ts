import { text } from 'node:stream/consumers';
import parser from 'robots-parser';
import { explainRefusal, type Web, WebRefused } from '../../../drivers/web/driver.ts';

/** The types of the package declare a default export, but it exports the function itself. */
const parse = parser as unknown as (
  url: string,
  rules: string,
) => { isAllowed(url: string, agent: string): boolean | undefined; getCrawlDelay(agent: string): number | undefined };

const agent = 'Atrium';
/** RFC 9309 lets crawlers ignore the rest. */
const mostBytes = 512 * 1024;
const longestDelay = 30_000;

export interface Robots {
  allows(url: string): boolean;
  /** The pause that the site asks for between two pages. */
  delay_ms: number;
}

/** Fetches robots.txt. If it is unavailable now, the site is not crawled; users see the reason. */
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
    // The site can't be reached, or its rules are too long.
    if (error instanceof WebRefused) return { reason: explainRefusal(error, 'members') };
    throw error;
  }
}

export function readRobots(site: string, rules: string): Robots {
  const robots = parse(new URL('/robots.txt', site).href, rules);
  const delay_ms = Math.min(longestDelay, Math.max(0, (robots.getCrawlDelay(agent) ?? 0) * 1000));
  // The rules hold for all spellings of the site (`www.`, http and https), so paths are checked on one of them.
  const addressOnSite = (url: string) => {
    const { pathname, search } = new URL(url);
    return new URL(`${pathname}${search}`, site).href;
  };
  return { delay_ms, allows: (url) => robots.isAllowed(addressOnSite(url), agent) ?? true };
}
