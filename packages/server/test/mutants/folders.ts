import { dirname } from 'node:path';

/** Folders whose faults would hurt most. Mutants are chosen from each area in turn. */
export interface Area {
  name: string;
  reason: string;
  /** Folders with all below them, folders alone (`…/*`) or files; from `packages/server/src` unless they begin with `packages/`. */
  paths: string[];
  /** Tests that stand elsewhere and are the main ones of this area. */
  tests?: string[];
}

const rightsTests = [
  'packages/server/test/ownership/others-records.test.ts',
  'packages/server/src/features/approvals/approval-swaps.test.ts',
];

export const areas: readonly Area[] = [
  { name: 'settings', reason: 'decides which setting binds an agent', paths: ['features/settings'] },
  {
    name: 'rights',
    reason: "decides whose records a caller sees and changes; a fault shows another person's work",
    paths: ['features/ownership', 'features/reach', 'features/may', 'features/roles', 'lib/scope.ts'],
    tests: rightsTests,
  },
  {
    name: 'effective permissions',
    reason: 'limits a run to the rights of the people behind it, and a run to one node',
    paths: ['execution'],
  },
  { name: 'usage', reason: 'the ledger: what models cost, and for whom', paths: ['features/usage'] },
  { name: 'budgets', reason: 'stops spending at a limit', paths: ['features/budgets'] },
  { name: 'run log', reason: 'what a resumed run and its readers are given', paths: ['features/runs/log'] },
  {
    name: 'runs',
    reason: 'starts, repeats and ends runs; a fault does work twice or never',
    paths: ['features/runs/start', 'features/runs/loop', 'features/runs/end', 'features/runs/tools'],
  },
  { name: 'approvals', reason: 'nothing that needs a person happens without one', paths: ['features/approvals'] },
  {
    name: 'requests',
    reason: 'idempotency, limits, origins and the check of keys of every request',
    paths: ['features/idempotency', 'http/*', 'http/body', 'http/streams'],
  },
  {
    name: 'secrets',
    reason: 'keeps keys and passwords sealed and out of answers and logs',
    paths: ['features/vault', 'features/keyring', 'lib/secrets'],
  },
  { name: 'anonymizing', reason: 'replaces personal data before a model sees it', paths: ['features/anonymization'] },
  { name: 'personal data', reason: 'finds what has to be replaced', paths: ['features/pii'] },
  {
    name: 'egress',
    reason: 'refuses private addresses and follows no redirect to them',
    paths: ['drivers/web', 'features/base-tools/web-research'],
  },
  {
    name: 'database',
    reason: 'migrations, transactions and notifications',
    paths: ['db/*', 'db/state', 'db/statements'],
  },
  { name: 'audit', reason: 'the chain that shows whether a record was changed', paths: ['features/audit'] },
  { name: 'keys', reason: 'API keys and service accounts: what a key may do', paths: ['features/keys'] },
  {
    name: 'sign-in',
    reason: 'passwords, sessions, second factors, identity providers',
    paths: ['features/people', 'drivers/passwords', 'drivers/openid'],
  },
  { name: 'shares', reason: 'who reads a shared conversation', paths: ['features/conversations/shares'] },
  { name: 'triggers', reason: 'starts work that nobody watches', paths: ['features/triggers', 'lib/timetable'] },
  {
    name: 'signatures',
    reason: 'signs webhooks and checks the signatures of channels',
    paths: [
      'features/webhooks',
      'features/channels/signature.ts',
      'features/channels/slack',
      'features/channels/email',
    ],
  },
  { name: 'tables', reason: 'rights of tables and the SQL that agents write', paths: ['features/tables'] },
  {
    name: 'files',
    reason: 'who reads a file, and what an archive may unpack to',
    paths: ['features/files', 'features/attachments'],
  },
  {
    name: 'knowledge',
    reason: 'passages of documents that the asking person may not read',
    paths: ['features/knowledge-bases/rights', 'features/knowledge-bases/documents'],
  },
  { name: 'limits', reason: 'counts what a caller may use', paths: ['lib/counters', 'features/storage'] },
  {
    name: 'helpers',
    reason: 'small functions that much else relies on',
    paths: [
      ...['lib/text', 'lib/json', 'lib/lru-cache.ts', 'lib/ids.ts', 'features/messages/estimate-tokens.ts'],
      ...['drivers/taggers/neural/rules', 'drivers/models/direct/common-ticks.ts'],
      'packages/console/src/chat/list/group-by-day.ts',
      'packages/console/src/admin/audit/audit-filters.ts',
    ],
  },
];

/** Whether a file belongs to an area. */
export function isIn({ paths }: Area, file: string): boolean {
  const full = paths.map((path) => (path.startsWith('packages/') ? path : `packages/server/src/${path}`));
  return full.some((path) =>
    path.endsWith('/*') ? dirname(file) === path.slice(0, -2) : file === path || file.startsWith(`${path}/`),
  );
}
