import type { ValidationError } from '@atrium/contract/errors.ts';
import { errorUrn, scimMediaType } from '@atrium/contract/scim/urns.ts';
import type { ErrorAnswer } from './errors.ts';

/** The words of SCIM for errors (RFC 7644, 3.12) that are used here. */
const words = new Set(['invalidFilter', 'uniqueness', 'mutability', 'invalidSyntax', 'invalidPath', 'noTarget']);

const format = ({ loc, msg }: ValidationError) => [loc.slice(1).join('.'), msg].filter(Boolean).join(': ');

/** The same error in the body that SCIM defines. A request that is not valid is 400 there. */
export function scimErrorAnswer({ status, body: { detail, code = '' }, headers }: ErrorAnswer) {
  const isInvalid = Array.isArray(detail);
  const shown = isInvalid ? 400 : status;
  const fallback = shown === 400 ? 'invalidValue' : undefined;
  const scimType = words.has(code) ? code : fallback;
  return {
    status: shown,
    body: {
      ...{ schemas: [errorUrn], status: String(shown), ...(scimType && { scimType }) },
      detail: isInvalid ? (detail as ValidationError[]).map(format).join('; ') : String(detail),
    },
    headers: { ...headers, 'content-type': `${scimMediaType}; charset=utf-8` },
  };
}
