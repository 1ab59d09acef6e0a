import type { Config } from '../src/config.ts';
import { MailRefused } from '../src/drivers/mail/driver.ts';
import { makeSmtp } from '../src/drivers/mail/smtp.ts';
import { allowPrivate } from '../src/drivers/web/allow-list.ts';

/** Whether mail can be sent to people: signs in at the mail server, and sends nothing. No secret is shown. */
export async function mailFindings(
  { mail }: Pick<Config, 'mail'>,
  env: Record<string, string | undefined>,
): Promise<string[]> {
  if (!mail) {
    const missing = ['ATRIUM_SMTP_URL', 'ATRIUM_MAIL_FROM', 'ATRIUM_PUBLIC_URL'].filter((name) => !env[name]);
    return [`not sent: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`];
  }
  const { host, port, tls } = mail.server;
  const place = `${host}:${port} (${tls === 'none' ? 'in plain' : tls.toUpperCase()})`;
  try {
    await makeSmtp(allowPrivate).check(mail.server);
    return [`${place} takes mail from ${mail.from.address}; links lead to ${mail.public_url}`];
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    return [`${place}: ${error.message}. Invitations wait in the queue meanwhile`];
  }
}
