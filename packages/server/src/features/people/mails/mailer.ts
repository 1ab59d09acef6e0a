import { z } from 'zod';
import type { Database, Db } from '../../../db/database.ts';
import { type Mail, MailRefused, type MailServer } from '../../../drivers/mail/driver.ts';
import { defineJob, type Job } from '../../../lib/define-job.ts';
import { newId } from '../../../lib/ids.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
import { hashOf } from '../../../lib/secrets/token-hash.ts';
import * as links from '../link-store.ts';
import { newLinkToken } from '../one-time-token.ts';
import type { JobQueue, SecretBoxes } from '../ports.ts';
import { type InvitationMail, invitationMail, type MailText, noticeMail, resetMail } from './mail-texts.ts';
import { type SecurityMail, securityMail } from './security-texts.ts';
import * as store from './store.ts';

export interface MailSettings {
  server: MailServer;
  from: { name: string; address: string };
  /** Where links lead; without a slash at its end. */
  public_url: string;
}

/** Sends links to people by mail, as jobs that are tried again until the mail server takes them. */
export interface Mailer {
  /** Seals an invitation. The function that is returned puts the mail on its way when its transaction commits. */
  prepareInvitation(
    tenant_id: string,
    link_id: string,
    mail: Omit<InvitationMail, 'public_url'>,
  ): Promise<(tx: Db) => Promise<void>>;
  /** Seals a notice for a person, as `prepareInvitation` does; undefined unless the person is active. */
  prepareNotice(
    tenant_id: string,
    person_id: string,
    notice: { subject: string; lines: readonly string[] },
  ): Promise<((tx: Db) => Promise<void>) | undefined>;
  /**
   * Reads the key that notices of a tenant are sealed with. The function that is returned puts a notice for a person on its way
   * when its transaction commits, also for one who was deactivated.
   */
  prepareSecurityNotices(
    tenant_id: string,
  ): Promise<(tx: Db, person_id: string, notice: Omit<SecurityMail, 'public_url'>) => Promise<void>>;
  /** Mails a link to the account of an address later, if there is one. The caller learns nothing about it. */
  requestReset(email: string): Promise<void>;
  jobs: readonly Job[];
}

export const mailPurpose = (id: string) => `mail ${id}`;

const resetSeconds = 3600;
/** While a link is younger, no other is mailed: nobody can fill a mailbox, nor make links useless before they are read. */
const freshSeconds = 300;

export function makeMailer(deps: {
  db: Database;
  mail: Mail;
  settings: MailSettings;
  secrets: SecretBoxes;
  queue: JobQueue;
}): Mailer {
  const { db, mail, settings, secrets, queue } = deps;
  const { public_url } = settings;

  async function prepare(
    tenant_id: string,
    reason: store.MailReason,
    text: MailText,
  ): Promise<(tx: Db) => Promise<void>> {
    const id = newId();
    const sealed = await secrets.seal(tenant_id, mailPurpose(id), JSON.stringify(text));
    return (tx) => put(tx, { id, tenant_id, ...reason, sealed });
  }

  async function put(tx: Db, row: { id: string; tenant_id: string; sealed: string } & store.MailReason): Promise<void> {
    await store.insertMail(tx, row);
    await queue.enqueue(tx, send, { id: row.id });
  }

  const send = defineJob({
    job: 'people.send-mail',
    payload: z.object({ id: z.guid() }),
    attempts: 12,
    handler: async ({ log, requireLease }, { id }) => {
      const row = await store.findMail(db, id);
      // The link was used, revoked or is over meanwhile.
      if (!row) return;
      const { to, subject, text } = parseStored<MailText>(
        await secrets.open(row.tenant_id, mailPurpose(id), row.sealed),
      );
      await requireLease?.();
      try {
        await mail.send(settings.server, {
          ...{ from: settings.from, to, subject, text, message_id: `<${id}@${domainOf(settings.from.address)}>` },
          ...{ in_reply_to: null, references: [], files: [], headers: { 'Auto-Submitted': 'auto-generated' } },
        });
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error;
        // Without its cause, which may quote the mail.
        if (!error.final) throw new Error(error.message);
        log.warn('mail.refused', { mail_id: id, error: error.message });
      }
      await store.deleteMail(db, id);
    },
  });

  const reset = defineJob({
    job: 'people.mail-reset',
    payload: z.object({ email: z.string() }),
    attempts: 5,
    handler: async (_, { email }) => {
      const token = newLinkToken('atl');
      const link_id = newId();
      const found = await store.findForReset(db, email);
      if (!found) return;
      const { tenant_id, name, email: to } = found;
      const putMail = await prepare(tenant_id, { link_id }, resetMail({ to, public_url, token, name }));
      await db.transaction(undefined, async (tx) => {
        const person = await store.findForReset(tx, email);
        if (person?.id !== found.id || (await store.hasFreshReset(tx, found.id, freshSeconds))) return;
        await links.deleteMailedResets(tx, found.id);
        await links.insertLink(tx, {
          ...{ id: link_id, tenant_id, kind: 'reset', token_hash: hashOf(token), seconds: resetSeconds },
          ...{ person_id: found.id, workspace_id: null, role_id: null, email: null, mailed: true },
        });
        await putMail(tx);
      });
    },
  });

  return {
    prepareInvitation: (tenant_id, link_id, given) =>
      prepare(tenant_id, { link_id }, invitationMail({ ...given, public_url })),
    async prepareNotice(tenant_id, person_id, notice) {
      const person = await store.findAddress(db, tenant_id, person_id);
      if (!person) return undefined;
      const { email: to, name } = person;
      return prepare(tenant_id, { person_id }, noticeMail({ to, name, public_url, ...notice }));
    },
    async prepareSecurityNotices(tenant_id) {
      const seal = await secrets.sealer(tenant_id);
      return async (tx, person_id, notice) => {
        const id = newId();
        const sealed = seal(mailPurpose(id), JSON.stringify(securityMail({ ...notice, public_url })));
        await put(tx, { id, tenant_id, person_id, to_inactive: true, sealed });
      };
    },
    requestReset: (email) =>
      // One job for each address, whether it has an account or not: both take the same time here.
      queue.enqueue(db, reset, { email }, { key: `reset:${hashOf(email).toString('hex')}` }),
    jobs: [send, reset],
  };
}

const domainOf = (address: string) => address.split('@').at(-1) ?? 'localhost';
