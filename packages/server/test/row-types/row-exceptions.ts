/** Columns that may be null or have another type in general, but not in the rows of these statements, and why. */
export const rowExceptions: ReadonlyMap<string, string> = new Map([
  ['features/webhooks/store.ts failing_since', 'the statement sets it'],
  ['features/tables/columns/column-store.ts references_table', 'the statement filters by it'],
  ['features/runs/store.ts request_fingerprint', 'set with request_key, which the statement filters by'],
  [
    'features/knowledge-bases/ingest/ingestion-run-store.ts node_ids',
    'always null, which PostgreSQL describes as text',
  ],
  ['features/knowledge-bases/ingest/training-store.ts run_id', 'the statement joins by it'],
  ['features/knowledge-bases/index/index-store.ts run_id', 'a document in the stage `index` has a run'],
  ['features/keyring/sealed-column-store.ts box', 'the statement filters by it'],
  ['features/people/link-store.ts group_id', 'the statement filters by it'],
  ['features/people/link-store.ts email', 'a constraint demands it of invitations'],
  ['features/people/link-store.ts role_id', 'a constraint demands it of invitations'],
  ['features/people/rights-store.ts person_id', 'a column of the view person_rights, which has no nulls'],
  ['features/people/rights-store.ts workspace_id', 'a column of the view person_rights, which has no nulls'],
  ['features/people/rights-store.ts permissions', 'a column of the view person_rights, which has no nulls'],
  ['features/people/store.ts workspace_id', 'a column of the view person_rights, which has no nulls'],
  ['features/people/store.ts permissions', 'a column of the view person_rights, which has no nulls'],
  ['features/base-tools/memory/store.ts text', 'the statement filters by it'],
  ['features/channels/store.ts payload', 'emptied only when the message is no longer pending'],
]);
