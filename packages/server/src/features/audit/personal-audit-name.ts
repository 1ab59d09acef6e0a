import type { Database } from '../../db/database.ts';
import type { PersonalRecords } from '../personal-data/ports.ts';
import { deleteNameOf } from './store.ts';

/** The name of a person in the audit log. Its rows hold ids alone and stay as they are. */
export const makePersonalAuditName = ({ db }: { db: Database }): PersonalRecords => ({
  kind: 'audit_names',
  async *entries() {},
  erase: async ({ tenant_id, person_id }) => ({ audit_names: await deleteNameOf(db, tenant_id, person_id) }),
});
