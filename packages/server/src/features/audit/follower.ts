import type { Database, Db } from '../../db/database.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { required } from '../../lib/required.ts';
import { chainOf, type HashedRow, hashLink } from './chain.ts';
import * as store from './link-store.ts';

const batch = 500;
/** How long rows of this node wait, so that those of a busy moment are linked together. */
const wakeAfter = 200;
/** How often a node looks for rows that another one wrote and did not live to link. */
const lookEvery = 5000;

async function linkBatch(tx: Db): Promise<number> {
  await store.lockLinking(tx);
  const rows = await store.listUnlinked(tx, batch);
  if (rows.length === 0) return 0;
  const heads = await store.lockHeads(tx, new Map(rows.map((row) => [chainOf(row), row.tenant_id])));
  const links = rows.map((row: HashedRow) => {
    const head = required(heads.get(chainOf(row)));
    head.position += 1;
    head.hash = hashLink(head.hash, row, head.position);
    return { ...head, row_id: row.id };
  });
  await store.insertLinks(tx, links, [...heads.values()]);
  return rows.length;
}

/** Links rows that are committed to the chains of their workspaces, one node at a time. */
export interface AuditFollower {
  /** A row was committed here. */
  wake(): void;
  /** Links what there is. */
  link(): Promise<void>;
  close(): Promise<void>;
}

export function makeAuditFollower({ db, log }: { db: Database; log: Log }): AuditFollower {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  /** Rows were committed while others were linked. */
  let mustLink = false;
  let isClosed = false;

  async function link(): Promise<void> {
    while ((await db.transaction(undefined, linkBatch)) === batch);
  }
  /** A failure leaves the rows queued; the next look takes them. */
  const tryLink = () => link().catch((error) => log.warn('audit.not-linked', errorFields(error)));
  function schedule(ms: number): void {
    if (timer || isClosed) return;
    // One at a time: it waits for the node that links now, on a connection. A node whose network is lost holds the lock for
    // seconds, in which further ones would take all connections.
    if (running) {
      mustLink = true;
      return;
    }
    timer = setTimeout(() => {
      timer = undefined;
      running = tryLink().finally(() => {
        running = undefined;
        if (mustLink) schedule(wakeAfter);
        mustLink = false;
      });
    }, ms).unref();
  }
  const look = setInterval(() => schedule(0), lookEvery);
  look.unref();
  schedule(wakeAfter);

  return {
    wake: () => schedule(wakeAfter),
    link,
    async close() {
      isClosed = true;
      clearInterval(look);
      clearTimeout(timer);
      await running;
      await tryLink();
    },
  };
}
