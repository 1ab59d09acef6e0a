import { type Web, type WebAnswer, WebRefused } from '../../drivers/web/driver.ts';

const endings: Record<string, string> = {
  'text/html': '.html',
  'text/csv': '.csv',
  'text/markdown': '.md',
  'application/json': '.json',
};

/** What to call a file that nobody has named: the end of its address, with the ending that text is told apart by. */
function nameOf({ url, headers }: WebAnswer): string {
  const segment = new URL(url).pathname.split('/').at(-1) || 'page';
  let name = segment;
  try {
    name = decodeURIComponent(segment);
  } catch {
    // Half an escape is part of the name.
  }
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /\.\w{1,10}$/.test(name) ? name : `${name}${endings[type] ?? ''}`;
}

/** Where a file came from, without what may be a secret of whoever named the address. */
const sourceOf = (url: string) => {
  const { origin, pathname } = new URL(url);
  return { url: `${origin}${pathname}` };
};

/** A file from an address that a user has named. Fails with WebRefused. */
export async function fetchFile(
  web: Web,
  url: string,
  options: { max_bytes: number; deadline: number; signal: AbortSignal },
) {
  const timeout_ms = Math.min(30_000, options.deadline - Date.now());
  if (timeout_ms <= 0) throw new WebRefused('timeout', 'there was no time left to fetch it');
  const answer = await web.fetch(url, { max_bytes: options.max_bytes, timeout_ms, signal: options.signal });
  if (answer.status < 200 || answer.status > 299) {
    answer.body.destroy();
    throw new WebRefused('bad_answer', `its server answered with the status ${answer.status}`);
  }
  return { filename: nameOf(answer), stream: answer.body, source_metadata: sourceOf(answer.url) };
}
