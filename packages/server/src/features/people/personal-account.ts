import type { Database } from '../../db/database.ts';
import type { PersonalRecords } from '../personal-data/ports.ts';
import { deletePerson, readAccount } from './account-store.ts';

/** The account of a person: what they are known by, where they are members, and how they sign in. */
export const makePersonalAccount = ({ db }: { db: Database }): PersonalRecords => ({
  kind: 'account',
  async *entries({ tenant_id, person_id }, count) {
    count();
    yield { name: 'account.json', content: [JSON.stringify(await readAccount(db, tenant_id, person_id), null, 2)] };
  },
  erase: async ({ tenant_id, person_id }) => ({ account: await deletePerson(db, tenant_id, person_id) }),
});
