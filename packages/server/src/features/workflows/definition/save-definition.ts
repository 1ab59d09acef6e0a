import { InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import type { WorkflowCheck } from '@atrium/contract/workflows/trial-schema.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Rights } from '../../../execution/effective-permissions.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ReferenceCheckers, SettingsWarnings } from '../../settings/ports.ts';
import { restoreMasked } from '../../settings/service.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import * as store from '../store.ts';
import { checkDefinition, checkShape, type WorkflowType } from './check-definition.ts';
import {
  checkReferences,
  checkVersions,
  type StoredDefinitions,
  warnOfStepModels,
  warnOfUnknownVariables,
} from './check-references.ts';
import { emptyDefinition } from './definition-shape.ts';
import { type FindVariables, requireVariablesRead } from './require-variables-read.ts';

const at = ['body', 'definition'];

/** Whether the caller that saves an unchanged definition may do at least as much as its recorded saver. */
const answersAgain = (rights: Rights, { permissions }: Scope) =>
  rights === null || rights.every((one) => allows(permissions, one));

export interface DefinitionDeps {
  db: Database;
  nodes: NodeRegistry;
  /** Checkers for the records that definitions refer to; filled while the features are composed. */
  references: ReferenceCheckers;
  findVariables: FindVariables;
  /** Warns of models that no configured provider has. */
  warnOfModels: SettingsWarnings;
}

/** An error with the node or the edge that it belongs to. */
export function placeError({ loc, msg, type }: ValidationError, definition: object): WorkflowCheck['errors'][number] {
  const [part, index] = [loc[2], Number(loc[3])];
  const { nodes } = definition as { nodes: unknown };
  const node = part === 'nodes' && Array.isArray(nodes) ? (nodes[index] as { id?: unknown } | null) : undefined;
  return {
    ...{ loc, msg, type, node_id: typeof node?.id === 'string' ? node.id : null },
    edge: part === 'edges' && Number.isInteger(index) ? index : null,
  };
}

/** Replaces the given keys of a stored definition; null for `nodes` or `edges` keeps the stored list. */
export const over = (stored: object, given: Record<string, unknown>) => {
  const parts = Object.entries(given).filter(([name, part]) => part !== null || !Object.hasOwn(emptyDefinition, name));
  return { ...stored, ...Object.fromEntries(parts) };
};
export const isOther = (definition: object, stored: { definition: string }) =>
  JSON.stringify(definition) !== stored.definition;
/** A stored definition with the given keys replaced; masked credentials in them are those that are stored. */
export const mergeDefinition = (stored: string, given: Record<string, unknown> | undefined) =>
  given && over(JSON.parse(stored), restoreMasked(given, JSON.parse(stored), at));

export type DefinitionSaver = ReturnType<typeof makeDefinitionSaver>;

/** Checks definitions and stores them as graphs, for workflows, their versions and their drafts. */
export function makeDefinitionSaver({ db, nodes, references, findVariables, warnOfModels }: DefinitionDeps) {
  const requireReadable = (scope: Scope, definition: unknown) =>
    requireVariablesRead(scope, definition, { nodes, findVariables });

  /**
   * The errors of a definition by what they forbid: to store it at all, to store it even with `force`, and to run it; and
   * what it names that is gone. `stored`: the definitions that the workflow has already, whose references may stay.
   */
  async function errorsOf(scope: Scope, type: WorkflowType, definition: unknown, stored?: StoredDefinitions) {
    const shape = checkShape(definition, at);
    if (shape.length) return { shape, validationErrors: [], dangling: [], gone: [] };
    const validationErrors: ValidationError[] = checkDefinition(definition, nodes, type, at);
    const { dangling, warnings: gone } = await checkReferences(scope, definition, nodes, references, at, stored);
    // References to records of another workspace are refused even with `force`.
    const find = (ids: string[]) => store.versionsById(db, scope.workspace_id, ids);
    return {
      shape,
      validationErrors,
      dangling: [...dangling, ...(await checkVersions(definition, nodes, find, at))],
      gone,
    };
  }

  /** Warns of what a stored definition names and is gone, for callers who may mend it. */
  async function warnOfGone(scope: Scope, definition: unknown, place = ['definition']): Promise<RequestWarning[]> {
    if (!allows(scope.permissions, 'flows_edit')) return [];
    const stored = { definitions: [definition] };
    const { warnings } = await checkReferences(scope, definition, nodes, references, place, stored);
    return [...warnings, ...(await warnOfUnknownVariables(scope, definition, { nodes, findVariables }, place))];
  }

  /**
   * Returns whether a definition is valid, and what in it has no effect as things stand. An invalid one is refused; with
   * `force` it is accepted if clients can read it again.
   */
  async function check(
    scope: Scope,
    type: WorkflowType,
    definition: unknown,
    force: boolean,
    stored?: StoredDefinitions,
  ): Promise<{ valid: boolean; warnings: RequestWarning[] }> {
    const { shape, validationErrors, dangling, gone } = await errorsOf(scope, type, definition, stored);
    if (shape.length) throw new InvalidRequest(shape);
    if (dangling.length || (validationErrors.length && !force))
      throw new InvalidRequest([...validationErrors, ...dangling]);
    const warnings = [
      ...gone,
      ...(await warnOfUnknownVariables(scope, definition, { nodes, findVariables }, at)),
      ...(await warnOfStepModels(scope, definition, nodes, warnOfModels, at)),
    ];
    return { valid: validationErrors.length === 0, warnings };
  }

  /**
   * Stores a definition with the permissions of its saver, which limit its runs. An unchanged definition keeps its
   * saver, unless the caller has at least the same permissions.
   */
  async function insertGraph(
    tx: Db,
    scope: Scope,
    definition: unknown,
    before?: Pick<store.WorkflowRow, 'definition' | 'rights' | 'saved_by'>,
  ): Promise<string> {
    const id = newId();
    const text = JSON.stringify(definition);
    const isKept = before?.definition === text && !answersAgain(before.rights, scope);
    const { actor, permissions } = scope;
    const saved_by = actor.kind === 'api_key' || actor.kind === 'person' ? (actor.line ?? actor.id) : null;
    await store.insertGraph(tx, scope.workspace_id, id, text, isKept ? before : { rights: [...permissions], saved_by });
    return id;
  }

  return { requireReadable, errorsOf, warnOfGone, check, insertGraph };
}
