import { createTransport } from 'nodemailer';
import { makeAllowList } from '../web/allow-list.ts';
import { makeCheckedSockets } from '../web/checked-socket.ts';
import { WebRefused } from '../web/driver.ts';
import { type Mail, MailRefused } from './driver.ts';

const allMs = 30_000;

/** A refusal of the receiver stands; one of who we are, or that comes later, may be over another time. */
function refused(error: unknown): MailRefused {
  if (error instanceof WebRefused)
    return new MailRefused(`The mail server could not be reached: ${error.message}`, false, error);
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  if (typeof responseCode === 'number') {
    const final = responseCode >= 550 && responseCode <= 554 && code !== 'EAUTH';
    return new MailRefused(`The mail server answered ${responseCode}`, final, error);
  }
  if (code === 'ETLS') return new MailRefused('The mail server does not encrypt as it should', false, error);
  return new MailRefused('The mail server could not be reached, or broke off', false, error);
}

/** Sends mail by SMTP. Users name the server, so its address is checked like that of any web page. */
export function makeSmtp({ allow }: { allow: readonly string[] }): Mail {
  const open = makeCheckedSockets({ allow: makeAllowList(allow) });
  return {
    async send({ host, port, tls, username, password }, mail) {
      try {
        const connection = await open(new URL(`http://${host}:${port}`), AbortSignal.timeout(allMs));
        const transport = createTransport({
          ...{
            host,
            port,
            connection,
            secure: tls === 'tls',
            requireTLS: tls === 'starttls',
            ignoreTLS: tls === 'none',
          },
          ...(username !== null && { auth: { user: username, pass: password ?? '' } }),
          ...{ greetingTimeout: 10_000, socketTimeout: allMs, disableFileAccess: true, disableUrlAccess: true },
        });
        try {
          await transport.sendMail({
            ...{ from: mail.from, to: { name: '', address: mail.to }, subject: mail.subject, text: mail.text },
            attachments: mail.files.map(({ name, type, bytes }) => ({
              filename: name,
              contentType: type,
              content: bytes,
            })),
            messageId: mail.message_id,
            ...(mail.in_reply_to !== null && { inReplyTo: mail.in_reply_to }),
            ...{ references: [...mail.references], headers: { ...mail.headers } },
          });
        } finally {
          transport.close();
          connection.destroy();
        }
      } catch (error) {
        throw refused(error);
      }
    },
  };
}
