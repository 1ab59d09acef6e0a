import { allows, type Permission } from '@atrium/contract/permissions.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { SecretDestination } from '../../tools/ports.ts';
import { namesIn } from '../../variable-templates/service.ts';
import type { NamedVariables } from '../../variables/ports.ts';
import { makeScrubber, VariableUnavailable } from '../../variables/service.ts';
import type { Graph } from '../definition/graph.ts';
import type { NodeContext } from '../nodes/define-node.ts';
import { NodeFailure } from '../nodes/node-failure.ts';
import { fillTemplate } from './fill-placeholders.ts';

/** Rethrows an unavailable variable as a node failure. */
async function rethrowVariableError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof VariableUnavailable ? new NodeFailure('variable_unavailable', error.message) : error;
  }
}

/** The secrets that a run has revealed, in any of its graphs. */
export const makeRunSecrets = makeScrubber;
export type RunSecrets = ReturnType<typeof makeRunSecrets>;

/** Whether a key, or the key that it was rotated to, is valid and holds a permission in a workspace. */
export type KeyHoldsPermission = (workspace_id: string, key_id: string, permission: Permission) => Promise<boolean>;

const savers = 'variables_read';

/** Variables are read by the permission of the caller who saved the definition, not of the one who starts the run. */
async function requireSaver(scope: Scope, { rights, saved_by }: Graph, holds: KeyHoldsPermission): Promise<void> {
  const held = rights === null || allows(new Set(rights), savers);
  if (held && (saved_by === null || (await holds(scope.workspace_id, saved_by, savers)))) return;
  const why = held ? 'no longer holds' : 'did not hold';
  throw new NodeFailure(
    'forbidden',
    `This node reads a variable, and the caller who saved the workflow ${why} the permission ${savers}; a holder has to save it again`,
    { passing: false },
  );
}

/** The variables of the workspace as the steps of one graph of a run read them. */
export interface GraphVariables extends Pick<NodeContext, 'reveal' | 'scrub'> {
  fill(
    text: string,
    values: Readonly<Record<string, unknown>>,
    as?: (value: unknown) => string,
    marked?: boolean,
  ): Promise<string>;
  remember: ReturnType<NamedVariables>['remember'];
}

export type RunVariables = (scope: Scope, graph: Graph, secrets: RunSecrets) => GraphVariables;

export const makeRunVariables =
  (named: NamedVariables, holds: KeyHoldsPermission): RunVariables =>
  (scope: Scope, graph: Graph, secrets: RunSecrets) => {
    let checked: Promise<void> | undefined;
    const mayRead = () => {
      checked ??= requireSaver(scope, graph, holds);
      return checked;
    };
    const variables = named(scope, graph.variables, { scrubber: secrets, mayRead });
    return {
      async fill(text, values, as, marked) {
        const wanted = text.includes('{{') ? namesIn(text).plain : [];
        return fillTemplate(text, values, await rethrowVariableError(variables.plain(wanted)), as, marked);
      },
      reveal: <T>(value: T, to: SecretDestination, isRestricted?: boolean): Promise<T> =>
        rethrowVariableError(variables.reveal(value, to, isRestricted)),
      scrub: secrets.scrub,
      remember: variables.remember,
    };
  };
