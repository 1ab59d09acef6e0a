import type { Scope } from '../../lib/scope.ts';
import type { NamedVariables } from '../variables/named.ts';
import { VariableUnavailable } from '../variables/resolve.ts';
import { namesIn } from '../variables/templates.ts';
import type { StepDeps } from './engine/steps.ts';
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

/** How the steps of a run see the variables of the workspace. */
export const makeRunVariables =
  (named: NamedVariables) =>
  (scope: Scope, names: Graph['variables']): StepDeps['variables'] => {
    const variables = named(scope, names);
    return {
      async fill(text, values) {
        const wanted = text.includes('{{') ? namesIn(text).plain : [];
        return fillTemplate(text, values, await told(variables.plain(wanted)));
      },
      reveal: (value) => told(variables.reveal(value)),
      scrub: variables.scrub,
    };
  };
