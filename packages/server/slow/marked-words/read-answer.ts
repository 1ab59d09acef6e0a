import { Agent, request } from 'node:http';
import { unzipSync } from 'fflate';
import type { Attempt } from './requests.ts';

const connections = new Agent({ keepAlive: true, maxSockets: 16 });
/** A stream is read until nothing has come for so long. */
const idleMs = 300;

export interface ReadAnswer {
  status: number;
  /** Everything that the answer says, in all the forms that it can be read in. */
  text: string;
}

/** Sends a request over a socket and reads the answer; of an event stream, what comes at once. */
export const readAnswer = (origin: string, { method, url, body, headers = {} }: Attempt): Promise<ReadAnswer> =>
  new Promise((resolve, reject) => {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    const payload = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
    const type = payload !== undefined && !isRaw ? { 'content-type': 'application/json' } : {};
    const sent = request(
      `${origin}${url}`,
      { method, agent: connections, headers: { ...type, ...headers } },
      (answer) => {
        const parts: Buffer[] = [];
        const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
        let idle: NodeJS.Timeout | undefined;
        const finish = () => {
          clearTimeout(idle);
          const text = `${JSON.stringify(answer.headers)}\n${readBytes(Buffer.concat(parts))}`;
          resolve({ status: answer.statusCode ?? 0, text });
        };
        const wait = () => {
          if (!isStream) return;
          clearTimeout(idle);
          idle = setTimeout(() => answer.destroy(), idleMs);
        };
        wait();
        answer.on('data', (part: Buffer) => {
          parts.push(part);
          wait();
        });
        answer.on('close', finish);
        answer.on('error', finish);
      },
    );
    sent.on('error', reject);
    sent.setTimeout(60_000, () => sent.destroy(new Error(`${method} ${url} does not answer`)));
    sent.end(payload);
  });

/** Bytes as text: archives unpacked, base64 decoded, and the pieces of a streamed text joined. */
function readBytes(bytes: Buffer): string {
  if (bytes.subarray(0, 2).toString() === 'PK')
    return Object.entries(unzipSync(bytes))
      .map(([name, content]) => `${name}\n${readBytes(Buffer.from(content))}`)
      .join('\n');
  const text = bytes.toString();
  const encoded = text.match(/[\w+/-]{16,}={0,2}/g) ?? [];
  const decoded = encoded.slice(0, 2000).map((part) => Buffer.from(part, 'base64').toString('latin1'));
  const streamed = [...text.matchAll(/"(?:delta|text|content|textDelta)":"((?:[^"\\]|\\.)*)"/g)].map(
    ([, piece]) => piece,
  );
  return [text, ...decoded, streamed.join('')].join('\n');
}
