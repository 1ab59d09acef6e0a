import type { FastifyInstance } from 'fastify';

export interface SecurityContactOptions {
  contact: { contacts: readonly string[]; expires: string } | undefined;
  /** Where browsers reach this server. */
  public_url: string;
}

/** Tells finders of vulnerabilities where to report them (RFC 9116); not found without a contact, or once it has expired. */
export function addSecurityContact(app: FastifyInstance, { contact, public_url }: SecurityContactOptions): void {
  const path = '/.well-known/security.txt';
  const lines = contact && [
    ...contact.contacts.map((address) => `Contact: ${address}`),
    `Expires: ${contact.expires}`,
    ...(public_url.startsWith('https:') ? [`Canonical: ${new URL(path, public_url).href}`] : []),
  ];
  app.get(path, async (_, reply) => {
    if (!lines || Date.parse(contact.expires) <= Date.now())
      return reply.code(404).send({ detail: 'No security contact is configured', code: 'not_found' });
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(`${lines.join('\n')}\n`);
  });
}
