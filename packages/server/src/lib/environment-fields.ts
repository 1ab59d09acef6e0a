import { isIP } from 'node:net';
import { z } from 'zod';

/** The values of a group of environment variables, once they are read. */
export type Values<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>;

export const megabyte = 1024 * 1024;
export const megabytes = (fallback: number) => z.coerce.number().positive().max(100_000).default(fallback);

/** A whole number, both ends included. */
export const whole = (min: number, max: number, fallback: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

export const webAddress = z.string().refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), {
  error: 'each address must start with http:// or https://',
});

/** One to which paths are added: a slash at its end means nothing. */
export const baseAddress = webAddress.transform((text) => text.replace(/\/+$/, ''));

/** Texts separated by commas; none when it is not set. */
export const texts = (absent = '') =>
  z
    .string()
    .default(absent)
    .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []));

const wholeBlocks = new Set(['loopback', 'linklocal', 'uniquelocal']);
function isBlock(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] as number;
  return (
    wholeBlocks.has(text) ||
    (most > 0 && !more.length && (bits === undefined || /^\d{1,3}$/.test(bits)) && Number(bits ?? 0) <= most)
  );
}

/** Addresses of networks, or blocks of them. */
export const blocks = (name: string, absent: string) =>
  texts(absent).refine((all) => all.every(isBlock), {
    error: `${name} must hold addresses, blocks such as 10.1.0.0/16, or the words ${[...wholeBlocks].join(', ')}`,
  });

/** A secret that everything else is sealed with. */
export const masterKey = (name: string) =>
  z.string().min(16, `${name} needs at least 16 characters; \`openssl rand -base64 32\` makes a good one`).optional();

export const key = (whose: string) => z.string().min(1).optional().describe(`API key of ${whose}`);

/** Texts separated by commas, at least one where it is set; a slash at the end of an address means nothing. */
const listOf = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim().replace(/\/+$/, '')))
    .pipe(z.array(item).min(1))
    .optional();

export const addresses = (instead: string) =>
  listOf(webAddress).describe(`${instead}; several, separated by commas, are tried in order`);
export const names = (where: string) => listOf(z.string().min(1)).describe(`Models ${where}, separated by commas`);
