import type * as z from 'zod';
import type { ValidationError } from '../errors.ts';
import { valueUnder } from '../keys-of.ts';
import { branchAt, follow } from './branches.ts';
import type { Refusal } from './scalar.ts';
import { wordsFor } from './zod-words.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** What the caller really sent at a path; undefined when nothing is there. Coercion may have changed it since. */
function sentAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = valueUnder(value, key);
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

const absent: Refusal = { type: 'missing', msg: 'Field required' };
const extra: Refusal = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' };

/** Where a run of issues begins: the whole request part, or the branch of a union in it. */
interface Start {
  path: Path;
  loc: string[];
  schema: z.core.$ZodType | undefined;
}

function collect(
  issues: readonly Issue[],
  raw: unknown,
  at: string,
  start: Start,
  validationErrors: ValidationError[],
): void {
  const base = sentAt(raw, start.path);
  const add = (refusal: Refusal, path: Path, input: unknown, tag?: string) => {
    const loc = [...start.loc, ...follow(start.schema, base, path.slice(start.path.length)).loc];
    // A schema that tells its entries apart by itself says which tag stands before the field.
    if (tag !== undefined) loc.splice(-1, 0, tag);
    validationErrors.push({ loc, msg: refusal.msg, type: refusal.type, input: input ?? null, ctx: refusal.ctx ?? {} });
  };

  for (const issue of issues) {
    const below = issue.path;
    const path = [...start.path, ...below];
    const sent = sentAt(raw, path);
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add(extra, [...path, key], sentAt(raw, [...path, key]));
    } else if (issue.code === 'invalid_union' && issue.errors.length && sent !== undefined) {
      const union = follow(start.schema, base, below);
      issue.errors.forEach((branch, index) => {
        const { name, schema } = branchAt(union.schema, index);
        collect(branch, raw, at, { path, loc: [...start.loc, ...union.loc, ...name], schema }, validationErrors);
      });
    } else if (issue.code === 'invalid_key' || issue.code === 'invalid_element') {
      const { loc, schema } = follow(start.schema, base, below);
      collect(issue.issues, raw, at, { path, loc: [...start.loc, ...loc], schema }, validationErrors);
    } else {
      // Zod reports an unknown tag at the tag itself; the validation error belongs to the object that carries it.
      const place = issue.code === 'invalid_union' && !issue.errors.length ? path.slice(0, -1) : path;
      const refusal =
        issue.code === 'invalid_union' && issue.errors.length ? absent : wordsFor(issue, sentAt(raw, place));
      // An absent field shows the object it is absent from; an absent body, query or header shows null.
      const around = at === 'body' && place.length ? sentAt(raw, place.slice(0, -1)) : null;
      const tag = (issue as { params?: { tag?: string } }).params?.tag;
      add(refusal, place, refusal.type === 'missing' ? around : nearestSent(raw, place), tag);
    }
  }
}

/**
 * Turns Zod's issues into the validation errors that callers get. `raw` is the request part as it was sent, `at` its
 * name (`body`).
 */
export function toValidationErrors(
  schema: z.ZodType,
  issues: readonly Issue[],
  raw: unknown,
  at: string,
): ValidationError[] {
  const validationErrors: ValidationError[] = [];
  collect(issues, raw, at, { path: [], loc: [at], schema }, validationErrors);
  return validationErrors;
}
