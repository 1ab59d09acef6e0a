import type { ReachedRecord } from '@atrium/contract/approvals/schema.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import type { Scope } from '../../lib/scope.ts';

/** The permission that shows records of a kind; actions, servers and databases are entries of agents. */
const needed: Record<ReachedRecord['kind'], Permission> = {
  workflow: 'flows_run',
  agent: 'agents_run',
  action: 'agents_run',
  mcp_server: 'agents_run',
  database: 'agents_run',
  variable: 'variables_read',
};

/** What lies beneath a call, with the names that the reader may read. */
export const showBeneath = ({ permissions }: Pick<Scope, 'permissions'>, beneath: readonly ReachedRecord[]) =>
  beneath.map((record) => (allows(permissions, needed[record.kind]) ? record : { ...record, name: null }));
