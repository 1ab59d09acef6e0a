import { sayNumber } from '../lib/numbers.ts';

const many = (count: number, one: string, more: string) => `${sayNumber(count)} ${count === 1 ? one : more}`;

/** Words of the insights. */
export const insightTexts = {
  title: 'Insights',
  agent: 'Agent',
  anyAgent: 'All agents',
  period: 'Time',
  periods: { 7: 'Last 7 days', 30: 'Last 30 days', 90: 'Last 90 days', own: 'From … to …' } as Readonly<
    Record<string, string>
  >,
  from: 'From',
  to: 'To',
  export: 'Export',
  needsExport: 'The figures are still loading',
  fileName: 'Insights.csv',
  figures: {
    label: 'Figures',
    conversations: 'Conversations',
    csat: 'Satisfaction',
    firstWord: 'First word, p95',
    cost: 'Cost',
    outOfFive: (value: string) => `${value} of 5`,
    none: '–',
    before: (days: number) => `than the ${many(days, 'day', 'days')} before`,
    noBefore: 'Nothing in the time before',
    same: 'As before',
    perConversation: (cost: string) => `${cost} a conversation`,
    see: (name: string) => `See what ${name} counts`,
  },
  trouble: {
    label: 'What went wrong',
    failures: 'Failed runs',
    violations: 'Guardrails objected',
    down: 'Bad ratings',
    unanswered: 'Searches without an answer',
  },
  charts: {
    conversations: 'Conversations',
    aDay: (name: string) => `${name} a day`,
    anHour: (name: string) => `${name} an hour`,
    others: 'Other agents',
    sentence: (name: string, total: string, from: string, to: string) => `${name} from ${from} to ${to}: ${total}.`,
    highest: (value: string, when: string) => `At most ${value}, ${when}.`,
    satisfaction: 'Satisfaction',
    firstWord: 'First word, p95',
    together: 'Together',
  },
  costs: {
    title: 'Cost by model',
    none: 'No model was called in this time.',
    others: 'Others',
    withoutModel: 'Without a model',
  },
  groups: {
    title: 'By',
    label: 'Figures by',
    names: {
      ...{ topic: 'Topic', agent: 'Agent', channel: 'Channel', tool: 'Tool', person: 'Person', version: 'Version' },
    },
    columns: {
      conversations: 'Chats',
      change: 'Change',
      tool_calls: 'Calls',
      cost: 'Cost',
      failures: 'Failed',
      guardrail_violations: 'Objections',
      knowledge_searches_without_answer: 'No answer found',
    },
    withoutGroup: 'None',
    none: 'Nothing in this time.',
    noTopics:
      'No topics yet. An agent finds them when its setting “insights” is on and chats have been quiet for a while.',
    see: (name: string) => `See chats: ${name}`,
  },
  channels: {
    ...{ api: 'API', http: 'API', ui: 'Console', console: 'Console', slack: 'Slack', teams: 'Teams', mail: 'Mail' },
    ...{ webhook: 'Webhook', link: 'Shared link', widget: 'Chat on a page' },
  } as Readonly<Record<string, string>>,
  satisfaction: {
    title: 'How people rate',
    stars: (score: number) => `${score} of 5`,
    sources: { user: 'People', agent: 'The agent notes', judge: 'A judge' },
    source: (name: string, average: string, count: number) =>
      `${name}: ${average} from ${many(count, 'rating', 'ratings')}`,
    none: 'No ratings in this time.',
  },
  custom: {
    title: 'Own questions',
    answers: (count: number) => many(count, 'answer', 'answers'),
    none: 'No answers yet.',
  },
  feedback: {
    title: 'Latest comments',
    all: 'All feedback',
    none: 'Nobody has written a comment in this time.',
    mayNot: 'Needs the permission conversations_read',
    guest: 'A guest',
    up: 'Good',
    down: 'Bad',
    score: (score: number) => `${score} of 5`,
  },
  lists: {
    conversations: 'Conversations',
    feedback: 'Feedback',
    violations: 'Objections of guardrails',
    toolCalls: 'Tool calls',
    count: (count: number) => many(count, 'entry', 'entries'),
    none: 'Nothing is here in this time',
    inTime: (from: string, to: string) => `${from} to ${to}`,
    topic: (name: string) => `About ${name}`,
    channel: (name: string) => `Through ${name}`,
    onlyRating: { up: 'Rated good', down: 'Rated bad' },
    everything: 'Everything',
    rating: 'Rating',
    untitled: 'Chat without a name',
    openTrace: 'Open trace',
    openChat: 'Open chat',
    runs: 'Its runs',
    version: 'One version',
    person: 'One person',
    stages: { input: 'in a question', tool: 'in the result of a tool', output: 'in an answer' } as Readonly<
      Record<string, string>
    >,
    took: (time: string) => `took ${time}`,
  },
} as const;
