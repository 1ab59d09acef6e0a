import type { Settings } from '@atrium/contract/settings/settings.ts';
import { z } from 'zod';
import type { Scope } from '../../lib/scope.ts';
import type { Tool } from './ports.ts';
import { defineTool } from './service.ts';

const longestWait = 7 * 24 * 3600;

/** The base tool `human_in_the_loop`: a question to a person, for whom the run waits. */
export async function humanTools(_: Scope, { base_tools }: Settings): Promise<Tool[]> {
  const entry = base_tools.find(({ type }) => type === 'human_in_the_loop');
  if (!entry?.['enabled']) return [];
  const seconds = Number(entry['timeout']);
  const timeout = entry['has_timeout'] === true ? (seconds > 0 ? seconds : longestWait) : null;
  const message = typeof entry['handover_message'] === 'string' ? entry['handover_message'] : '';
  return [
    defineTool({
      tool: 'human_in_the_loop_ask',
      description:
        'Asks a person who can look things up, decide or act where you cannot, and waits for the answer. Say in the question all that they need to know.',
      input: z.object({ question: z.string().min(1).max(10_000) }),
      output: z.object({ answer: z.string() }),
      repeatable: true,
      asks: (input) => ({ question: (input as { question: string }).question, message, timeout }),
      // Never run: people answer it.
      run: async () => ({ answer: '' }),
    }),
  ];
}
