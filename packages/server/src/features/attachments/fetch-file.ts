import { type Web, type WebAnswer, WebRefused } from '../../drivers/web/driver.ts';

const endings: Record<string, string> = {
  'text/html': '.html',
  'text/csv': '.csv',
  'text/markdown': '.md',
  'application/json': '.json',
};

/** The name of a file without one: the end of its URL, with an extension by its media type. */
function fileNameOf({ url, headers }: WebAnswer): string {
  const segment = new URL(url).pathname.split('/').at(-1) || 'page';
  let name = segment;
  try {
    name = decodeURIComponent(segment);
  } catch {
    // An incomplete escape stays part of the name.
  }
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /\.\w{1,10}$/.test(name) ? name : `${name}${endings[type] ?? ''}`;
}

/** The URL of a file without its query, which may contain a secret of the user. */
const sourceMetadataOf = (url: string) => {
  const { origin, pathname } = new URL(url);
  return { url: `${origin}${pathname}` };
};

/** Fetches a file from a URL of a user. Throws WebRefused. */
export async function fetchFile(
  web: Web,
  url: string,
  options: { max_bytes: number; deadline: number; hosts: readonly string[]; signal: AbortSignal },
) {
  const timeout_ms = Math.min(30_000, options.deadline - Date.now());
  if (timeout_ms <= 0) throw new WebRefused('timeout', 'there was no time left to fetch it');
  const { max_bytes, hosts, signal } = options;
  const answer = await web.fetch(url, { max_bytes, timeout_ms, hosts, signal });
  if (answer.status < 200 || answer.status > 299) {
    answer.body.destroy();
    throw new WebRefused('bad_answer', `its server answered with the status ${answer.status}`);
  }
  return { filename: fileNameOf(answer), stream: answer.body, source_metadata: sourceMetadataOf(answer.url) };
}
