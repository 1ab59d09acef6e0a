import type { ItemOf } from '@atrium/sdk';
import { resourceTexts } from '../../text/resources.ts';

export type Variable = ItemOf<'variables.list'>;
const words = resourceTexts.variables;

/** Where a secret may go, in words; undefined for what is no secret. */
export function sayHosts({ is_secret, allowed_hosts }: Variable): string | undefined {
  if (!is_secret || allowed_hosts === null) return undefined;
  return allowed_hosts.length > 0 ? words.goesTo(allowed_hosts.join(', ')) : words.goesNowhere;
}
