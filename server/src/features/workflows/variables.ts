import type { Scope } from '../../lib/scope.ts';
import type { SecretDestination } from '../../lib/tool.ts';
import type { NamedVariables } from '../variables/named.ts';
import { makeScrubber } from '../variables/scrub.ts';
import { namesIn } from '../variables/templates.ts';
import { VariableUnavailable } from '../variables/variable-unavailable.ts';
import type { Graph } from './graph.ts';
import { NodeFailure } from './node.ts';
import { fillTemplate } from './templates.ts';

async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof VariableUnavailable ? new NodeFailure('variable_unavailable', error.message) : error;
  }
}

/** What a run has revealed, in any of its graphs. */
export const makeRunSecrets = makeScrubber;
export type RunSecrets = ReturnType<typeof makeRunSecrets>;

/** How the steps of one graph of a run see the variables of the workspace. */
export const makeRunVariables =
  (named: NamedVariables) => (scope: Scope, names: Graph['variables'], secrets: RunSecrets) => {
    const variables = named(scope, names, secrets);
    return {
      async fill(text: string, values: Readonly<Record<string, unknown>>, as?: (value: unknown) => string) {
        const wanted = text.includes('{{') ? namesIn(text).plain : [];
        return fillTemplate(text, values, await told(variables.plain(wanted)), as);
      },
      reveal: <T>(value: T, to: SecretDestination, isRestricted?: boolean): Promise<T> =>
        told(variables.reveal(value, to, isRestricted)),
      scrub: secrets.scrub,
      remember: variables.remember,
    };
  };

export type RunVariables = ReturnType<typeof makeRunVariables>;
