import type { Experiment, Experiments } from '../experiment.ts';
import { inInstructions, offered } from '../experiment.ts';

const inPrompt = (value: unknown, text: string, given: Record<string, unknown> = {}): Experiment => ({
  ...{ given, values: [undefined, value], look: inInstructions(text), shows: [false, true] },
});
const switchedOn = (given: Record<string, unknown>, text: string): Experiment => ({
  ...{ given, values: [false, true], look: inInstructions(text), shows: [false, true] },
});
const citing = { citation_instructions: 'Name the page of each source' };
const guiding = { guidelines: [{ condition: 'somebody is angry', action: 'stay calm and kind' }] };

/** What stands in the instructions. */
export const contentExperiments: Experiments = {
  languages: inPrompt(['Finnish'], 'Finnish'),
  default_language: inPrompt('Danish', 'Danish'),
  persona: inPrompt('You are a pirate', 'You are a pirate'),
  tone: inPrompt('Speak in rhymes', 'Speak in rhymes'),
  extra_instructions: inPrompt('Never use semicolons', 'Never use semicolons'),
  deployment_custom_instructions: inPrompt('Greet with moin', 'Greet with moin'),
  citation_instructions: inPrompt(citing.citation_instructions, 'Name the page', {
    citation_instructions_enabled: true,
  }),
  citation_instructions_enabled: switchedOn(citing, 'Name the page'),
  guidelines: inPrompt(guiding.guidelines, 'stay calm', { guidelines_enabled: true }),
  guidelines_enabled: switchedOn(guiding, 'stay calm'),
  glossary: inPrompt([{ term: 'quux', definition: 'the box under the desk' }], 'the box under the desk'),
  memories: inPrompt([{ text: 'The office closes at noon on Fridays' }], 'closes at noon'),
  variables: {
    given: async ({ good }) => {
      await good('POST', '/v1/variables', { name: 'HARBOUR', inline_value: 'Trieste' }).catch(() => {});
      return { persona: 'You work in {{HARBOUR}}', variables_enabled: true };
    },
    values: async ({ good }) => [[], [await variable(good)]],
    look: inInstructions('You work in Trieste'),
    shows: [false, true],
  },
  variables_enabled: {
    given: async ({ good }) => ({ persona: 'You work in {{HARBOUR}}', variables: [await variable(good)] }),
    values: [false, true],
    look: inInstructions('You work in Trieste'),
    shows: [false, true],
  },
  skills: {
    values: [[], [{ name: 'folding', description: 'Folds paper', instructions: 'Fold twice' }]],
    look: ({ sent }) => JSON.stringify(sent[0]).includes('Folds paper'),
    shows: [false, true],
  },
  base_tools: {
    values: [[], [{ type: 'todos', enabled: true }]],
    look: (seen) => offered(seen).includes('todos_read_todos'),
    shows: [false, true],
  },
  tools: {
    values: [[], [{ type: 'todos', enabled: true }]],
    look: (seen) => offered(seen).includes('todos_read_todos'),
    shows: [false, true],
  },
};

async function variable(
  good: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ items?: { id: string; name: string }[]; id: string }>,
) {
  const { items = [] } = await good('GET', '/v1/variables');
  const known = items.find(({ name }) => name === 'HARBOUR');
  return known?.id ?? (await good('POST', '/v1/variables', { name: 'HARBOUR', inline_value: 'Trieste' })).id;
}
