import type { Db } from '../../../db/database.ts';
import type { Mailer } from './mailer.ts';
import type { SecurityChange } from './security-texts.ts';

/** Whom a notice is for; `email` is the address before the change. */
export interface NoticedPerson {
  id: string;
  name: string;
  email: string;
}

/** Puts notices of a change on their way when its transaction commits: to the person's address, and to a new one. */
export type PutNotice = (tx: Db, person: NoticedPerson, change: SecurityChange, new_email?: string) => Promise<void>;

/** Tells people by mail that the way they sign in was changed. */
export interface SecurityNotices {
  /** Called before the transaction begins: it may read a key. */
  prepare(tenant_id: string): Promise<PutNotice>;
}

/** Does nothing where the server sends no mail. */
export const makeSecurityNotices = (mailer: Pick<Mailer, 'prepareSecurityNotices'> | undefined): SecurityNotices => ({
  async prepare(tenant_id) {
    const put = await mailer?.prepareSecurityNotices(tenant_id);
    return async (tx, { id, name, email }, change, new_email) => {
      const addresses = new_email === undefined ? [email] : [email, new_email];
      for (const to of addresses) await put?.(tx, id, { to, name, change });
    };
  },
});
