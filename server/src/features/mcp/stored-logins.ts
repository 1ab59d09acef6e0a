import type { Db } from '../../db/database.ts';
import { urlsWithLogin } from './store.ts';

/** The addresses among these of servers that a login of this workspace is stored for: whoever uses one uses that login. */
export async function storedLogins(db: Db, workspace_id: string, urls: readonly string[]): Promise<Set<string>> {
  return new Set((await urlsWithLogin(db, workspace_id, urls)).map(({ url }) => url));
}
