import type { z } from 'zod';
import type { Fault } from '../errors.ts';
import type { Refusal } from './scalar.ts';
import { wordsFor } from './zod-words.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** What the caller really sent at a path; undefined when nothing is there. Coercion may have changed it since. */
function sentAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** A short form ("High" for {value: "High"}) has no element below it: its input is the short form itself. */
function nearestSent(root: unknown, path: Path): unknown {
  for (let length = path.length; length >= 0; length--) {
    const value = sentAt(root, path.slice(0, length));
    if (value !== undefined) return value;
  }
  return null;
}

/** Zod's issues as the faults callers get. `raw` is the request part as it was sent, `at` its name (`body`). */
export function faultsOf(issues: readonly Issue[], raw: unknown, at: string, above: Path = []): Fault[] {
  const faults: Fault[] = [];
  for (const issue of issues) {
    const path = [...above, ...issue.path];
    const fault = (refusal: Refusal, where: Path, input: unknown) =>
      faults.push({
        loc: [at, ...where.map(String)],
        msg: refusal.msg,
        type: refusal.type,
        input: input === undefined ? null : input,
        ctx: refusal.ctx ?? {},
      });

    if (issue.code === 'unrecognized_keys') {
      const extra = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' };
      for (const key of issue.keys) fault(extra, [...path, key], sentAt(raw, [...path, key]));
    } else if (issue.code === 'invalid_union' && issue.errors.length) {
      for (const branch of issue.errors) faults.push(...faultsOf(branch, raw, at, path));
    } else if (issue.code === 'invalid_key' || issue.code === 'invalid_element') {
      faults.push(...faultsOf(issue.issues, raw, at, path));
    } else {
      const sent = sentAt(raw, path);
      const refusal = wordsFor(issue, sent);
      // An absent field shows the object it is absent from; an absent body, query or header shows null.
      const input =
        refusal.type === 'missing' ? (path.length ? sentAt(raw, path.slice(0, -1)) : null) : nearestSent(raw, path);
      fault(refusal, path, at === 'query' && refusal.type === 'missing' ? null : input);
    }
  }
  return faults;
}

const hidden = '**********';

/** A copy of an echoed input with every secret field's value covered: a refused request must not print secrets. */
export function coverSecrets(input: unknown, secretKeys: ReadonlySet<string>): unknown {
  if (secretKeys.size === 0 || typeof input !== 'object' || input === null) return input;
  if (Array.isArray(input)) return input.map((item) => coverSecrets(item, secretKeys));
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, secretKeys.has(key) ? hidden : coverSecrets(value, secretKeys)]),
  );
}

/** The same for whole faults: one that lies at or below a secret field shows nothing of it. */
export function coverFaults(faults: Fault[], secretKeys: ReadonlySet<string>): Fault[] {
  if (secretKeys.size === 0) return faults;
  return faults.map((fault) => ({
    ...fault,
    input:
      fault.type !== 'missing' && fault.loc.some((part) => secretKeys.has(part))
        ? hidden
        : coverSecrets(fault.input, secretKeys),
  }));
}
