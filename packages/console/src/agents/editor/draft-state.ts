import type { ItemOf } from '@atrium/sdk';
import { bodyOf, placeOf, readAt, sameValue, writeAt } from '../../forms/field-values.ts';
import type { FormField, Values } from '../../forms/form-types.ts';

export type Agent = ItemOf<'agents.list'>;

/** One value that was set here and is not on the server yet. */
export interface Change {
  path: readonly string[];
  value: unknown;
  label: string;
}
/** A change that can be undone, by its name. */
export interface Command {
  field: FormField;
  before: unknown;
  after: unknown;
  at: number;
}
/** A field that another person changed meanwhile. */
export interface TheirChange {
  field: FormField;
  before: unknown;
  theirs: unknown;
}
export interface Conflict {
  theirs: Agent;
  by: string | undefined;
  at: string | undefined;
  mine: readonly Change[];
  others: readonly TheirChange[];
}

export type SaveStatus = 'saved' | 'waiting' | 'saving' | 'offline' | 'failed' | 'locked' | 'conflict';

export interface DraftState {
  /** As the server has it. */
  agent: Agent;
  published: Values;
  /** The draft with what is not saved yet. */
  values: Values;
  pending: ReadonlyMap<string, Change>;
  faults: ReadonlyMap<string, string>;
  /** Where inside of a field's value its fault is. */
  faultPaths: ReadonlyMap<string, readonly string[]>;
  status: SaveStatus;
  failure: unknown;
  conflict: Conflict | undefined;
  past: readonly Command[];
  future: readonly Command[];
}

const recordOf = ({ name, description, image_url, visible, allow_public_access }: Agent) => ({
  ...{ name, description, image_url, visible, allow_public_access },
});
export const publishedOf = (agent: Agent): Values => ({ ...recordOf(agent), definition: agent.definition });
export const draftOf = (agent: Agent): Values => ({
  ...recordOf(agent),
  definition: agent.draft_definition ?? agent.definition,
});

/** The server's draft with pending changes over it. */
export function overlay(agent: Agent, pending: Iterable<Change>): Values {
  let values = draftOf(agent);
  for (const { path, value } of pending) values = writeAt(values, path, value);
  return values;
}

export const beginState = (agent: Agent): DraftState => ({
  ...{
    agent,
    published: publishedOf(agent),
    values: draftOf(agent),
    pending: new Map(),
    faults: new Map(),
    faultPaths: new Map(),
  },
  ...{ status: 'saved', failure: undefined, conflict: undefined, past: [], future: [] },
});

/** The changes that can be sent: those that the server has refused wait for another value. */
export const sendable = ({ pending, faults }: DraftState): Map<string, Change> =>
  new Map([...pending].filter(([place]) => !faults.has(place)));

export const bodyOfChanges = (changes: ReadonlyMap<string, Change>): Values => bodyOf(changes.values());

/** Typing in one field within a second is one change. */
export function withCommand(past: readonly Command[], next: Command): Command[] {
  const last = past.at(-1);
  const isSame = last && placeOf(last.field) === placeOf(next.field) && next.at - last.at < 1000;
  return isSame ? [...past.slice(0, -1), { ...last, after: next.after, at: next.at }] : [...past, next].slice(-100);
}

/** The fields in which two states of the draft differ. */
export const differences = (fields: readonly FormField[], before: Values, after: Values): TheirChange[] =>
  fields
    .map((field) => ({ field, before: readAt(before, field.path), theirs: readAt(after, field.path) }))
    .filter(({ field, before: old, theirs }) => !sameValue(field, old, theirs));
