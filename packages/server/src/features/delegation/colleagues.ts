import type { Settings } from '@atrium/contract/settings/settings.ts';

/** An agent that another may ask. */
export interface Colleague {
  id: string;
  name: string | undefined;
  description: string | undefined;
  /** The most questions in one conversation; for a subagent, the most model calls. */
  max_turns: number | undefined;
  /** The entry in the settings. */
  written: Readonly<Record<string, unknown>>;
}

type Entry =
  | string
  | {
      id: string;
      enabled?: boolean | undefined;
      name?: string | undefined;
      description?: string | undefined;
      max_turns?: number | undefined;
    };

const colleagues = (list: readonly Entry[]): Colleague[] =>
  list.flatMap((entry) => {
    const {
      id,
      enabled = true,
      name,
      description,
      max_turns,
    } = typeof entry === 'string' ? ({ id: entry } as Exclude<Entry, string>) : entry;
    const written = typeof entry === 'string' ? {} : entry;
    return enabled ? [{ id: id.toLowerCase(), name, description, max_turns, written }] : [];
  });

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
const turns = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

/** The co-workers in settings: `coworkers`, and entries of `tools` with the type `agent_tool`. */
export const coworkersIn = ({ coworkers, tools }: Settings): Colleague[] => [
  ...colleagues(coworkers),
  ...tools.flatMap((entry) => {
    const { type, enabled, agent_id, name, description, max_clarification_turns } = entry;
    if (type !== 'agent_tool' || enabled === false || typeof agent_id !== 'string') return [];
    // The first question is not a clarification.
    const more = turns(max_clarification_turns);
    const max_turns = more === undefined ? undefined : more + 1;
    const written = entry;
    return [{ id: agent_id.toLowerCase(), name: text(name), description: text(description), max_turns, written }];
  }),
];

/** The subagents in settings; `itself` is the entry of `tools` with the type `subagent`. */
export function subagentsIn({ subagents, subagents_enabled, tools }: Settings): {
  named: Colleague[];
  itself: Readonly<Record<string, unknown>> | undefined;
} {
  const itself = tools.find(({ type, enabled }) => type === 'subagent' && enabled !== false);
  return { named: subagents_enabled ? colleagues(subagents) : [], itself };
}
