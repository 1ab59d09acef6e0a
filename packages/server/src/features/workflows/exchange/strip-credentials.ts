import { mask } from '../../../lib/secrets/mask-credentials.ts';
import { maskCredentials } from '../../settings/service.ts';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** All values in these fields are credentials. */
const hiddenFields = new Set(['headers', 'env', 'cookies']);
/** Names of credentials in addresses; in nodes they are programs and names of inputs. */
const plainFields = new Set(['code', 'key']);

/** What is taken out, and the keys that lead to each place. */
interface Stripped<T> {
  definition: T;
  places: string[];
  paths: string[][];
}

/**
 * A definition without its credentials: what readers without `flows_edit` see covered is empty, except for programs.
 * `places` lists each removed value. A `{{template}}` stays: it names a secret and does not contain it.
 */
export function stripCredentials<T extends object>(definition: T): Stripped<T> {
  const paths: string[][] = [];

  function strip(value: unknown, masked: unknown, path: readonly string[], isHidden: boolean): unknown {
    if (Array.isArray(value) && Array.isArray(masked))
      return value.map((item, index) => strip(item, masked[index], [...path, String(index)], isHidden));
    if (isFields(value) && isFields(masked))
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          key,
          strip(item, masked[key], [...path, key], isHidden || hiddenFields.has(key)),
        ]),
      );
    const isPlain = plainFields.has(path.at(-1) ?? '') && !isHidden;
    if (isPlain || typeof masked !== 'string' || !masked.includes(mask) || String(value).includes(mask)) return value;
    paths.push([...path]);
    return masked.replaceAll(mask, '');
  }

  const stripped = strip(definition, maskCredentials(definition), [], false) as T;
  return { definition: stripped, places: paths.map((path) => path.join('.')), paths };
}
