import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '@atrium/contract/errors.ts';

/** Memory in KiB, passes and lanes of new hashes; each hash names its own. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const bytes = 32;
/** Two use 40 MB and leave the thread pool room for files. */
const mostAtOnce = 2;
/** Some seconds of work; more would keep all of them waiting for too long. */
const mostWaiting = 100;

let running = 0;
const waiting: (() => void)[] = [];

async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= mostWaiting)
    throw new AppError('too_many', 'Too many people sign in at this moment; try again in 5 s', {
      ...{ code: 'rate_limited', headers: { 'retry-after': '5' } },
    });
  if (running >= mostAtOnce) await new Promise<void>((turn) => waiting.push(turn));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

const derive = (password: string, nonce: Buffer, { memory, passes, parallelism }: typeof cost): Promise<Buffer> =>
  takeTurn(
    () =>
      new Promise((resolve, reject) => {
        const input = { message: password.normalize('NFKC'), nonce, memory, passes, parallelism, tagLength: bytes };
        argon2('argon2id', input, (error, key) => (error ? reject(error) : resolve(key)));
      }),
  );

const plain = (value: Buffer) => value.toString('base64').replaceAll('=', '');

/** The hash of a password as it is stored, with its parameters and salt (the PHC string format). */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const key = await derive(password, nonce, cost);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(nonce)}$${plain(key)}`;
}

const stored = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;
/** Compared with where there is no password, so that the answer takes the same time. */
const dummyHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${plain(randomBytes(16))}$${plain(randomBytes(bytes))}`;

/** Whether this is the password of the hash. Without a hash it is not, after the same work. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', key = ''] = stored.exec(hash ?? dummyHash) ?? [];
  if (memory === undefined) throw new Error('A stored password hash can not be read');
  const own = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const derived = await derive(password, Buffer.from(nonce, 'base64'), own);
  const known = Buffer.from(key, 'base64');
  return known.length === derived.length && timingSafeEqual(derived, known) && hash !== null;
}
