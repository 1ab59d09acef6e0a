import type { ScimPatch } from '@atrium/contract/scim/schema.ts';
import { isRecord } from '../../../lib/json/fields-of.ts';
import { invalidPath, invalidSyntax, invalidValue } from './scim-error.ts';

/** One change of an attribute; its name is in lower case. */
export interface Change {
  op: 'add' | 'replace' | 'remove';
  /** `name.givenname`, `members`, …, without the URN of a core schema. */
  attribute: string;
  /** The value of a filter such as `members[value eq "…"]`. */
  selected: string | undefined;
  value: unknown;
}

const corePrefix = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;
const plainPath = /^[a-z$][\w$:.-]*$/i;
const filteredPath = /^([a-z$][\w$]*)\[\s*(\w+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*\](?:\.(\w+))?$/i;

function readPath(path: string): Pick<Change, 'attribute' | 'selected'> {
  const bare = path.trim().replace(corePrefix, '');
  if (plainPath.test(bare)) return { attribute: bare.toLowerCase(), selected: undefined };
  const [, name, by, value, sub] = filteredPath.exec(bare) ?? [];
  if (name === undefined || value === undefined) throw invalidPath(`The path can not be read: ${path.slice(0, 100)}`);
  const attribute = `${name}${sub ? `.${sub}` : ''}`.toLowerCase();
  try {
    return { attribute, selected: by?.toLowerCase() === 'value' ? String(JSON.parse(value)) : undefined };
  } catch {
    throw invalidPath('The value in the path is not a JSON string');
  }
}

/** A value without a path is an object of attributes, whose keys may be paths themselves. */
function withoutPath(op: Change['op'], value: unknown): Change[] {
  if (op === 'remove') throw invalidPath('A removal needs a path');
  if (!isRecord(value)) throw invalidValue('A change without a path has an object as its value');
  return Object.entries(value).flatMap(([key, one]) => {
    const { attribute, selected } = readPath(key);
    return isRecord(one) && attribute === 'name'
      ? Object.entries(one).map(([part, text]) => ({
          ...{ op, attribute: `name.${part.toLowerCase()}`, selected, value: text },
        }))
      : [{ op, attribute, selected, value: one }];
  });
}

/** Reads the operations of a PATCH, in the forms that directories send them, into changes of one attribute each. */
export function readChanges({ Operations }: ScimPatch): Change[] {
  return Operations.flatMap(({ op: given, path, value }): Change[] => {
    const op = given.toLowerCase();
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw invalidSyntax('An operation is add, replace or remove');
    if (path === undefined || path === '') return withoutPath(op, value);
    const target = readPath(path);
    if (target.attribute === 'name' && op !== 'remove')
      return withoutPath(op, { name: isRecord(value) ? value : { formatted: value } });
    return [{ op, ...target, value: op === 'remove' ? value : (value ?? null) }];
  });
}
