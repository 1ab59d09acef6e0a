import { sayNumber } from '../lib/numbers.ts';

const many = (count: number, one: string, more: string) => `${sayNumber(count)} ${count === 1 ? one : more}`;

/** Words of the runs and their traces. */
export const runTexts = {
  title: 'Runs',
  kinds: { conversation: 'Agents', workflow: 'Workflows' },
  statuses: {
    queued: 'In line',
    running: 'Running',
    completed: 'Completed',
    failed: 'Failed',
    stopped: 'Stopped',
    awaiting_human_feedback: 'Waits for a person',
  } as Readonly<Record<string, string>>,
  list: {
    label: 'Runs',
    kind: 'What runs',
    anyKind: 'All',
    status: 'State',
    anyStatus: 'Any state',
    agent: 'Agent',
    anyAgent: 'All agents',
    sort: 'Order',
    sorts: { '-created_at': 'Newest first', '-cost': 'Dearest first', '-tokens': 'Most tokens first' },
    period: 'Time',
    periods: { all: 'Any time', 1: 'Last 24 hours', 7: 'Last 7 days', 30: 'Last 30 days' },
    count: (count: number) => many(count, 'run', 'runs'),
    columns: {
      what: 'What ran',
      status: 'State',
      by: 'Asked by',
      started: 'Started',
      took: 'Took',
      tokens: 'Tokens',
      cost: 'Cost',
    },
    none: {
      title: 'Nothing has run yet',
      help: 'Each answer of an agent and each run of a workflow is listed here, with what it cost.',
    },
    noneFound: 'No run fits the filters',
    fromWorkflow: 'Runs of one workflow',
    fromConversation: 'Runs of one chat',
    fromRun: 'Runs that one run started',
    fromPerson: 'Runs of one person',
    fromTrigger: 'Runs of one trigger',
    inTime: (from: string, to: string) => `${from} to ${to}`,
    showAll: 'Show all runs again',
    toChat: 'Start a chat',
  },
  emptyInput: 'Run without words',
  hiddenName: 'Hidden run',
  /** Why inputs or outputs are left out. */
  hidden: {
    not_yours: {
      title: 'This is another person’s run',
      help: 'You see that it failed and where, because you may edit the workflow. What went in and came out is hidden; it needs the permission runs_read_all.',
    },
    documents: {
      title: 'What this run made is hidden',
      help: 'It read documents that you may not read. Time, tokens and cost are shown; words of its steps and its outputs are not.',
    },
  },
  workflow: 'Workflow',
  program: 'A program',
  unknownCost: 'No price is known',
} as const;
