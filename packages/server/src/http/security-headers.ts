import type { FastifyRequest } from 'fastify';

const noSniffing = { 'x-content-type-options': 'nosniff' };
/** Headers of every answer, including those that the framework writes itself. */
export const fixedSecurityHeaders = new Map(Object.entries(noSniffing));
/** A year; subdomains may be other services, which this server does not speak for. */
const securely = { ...noSniffing, 'strict-transport-security': 'max-age=31536000' };

export type SecurityHeaders = (request: FastifyRequest) => Readonly<Record<string, string>>;

/**
 * Chooses the security headers of an answer. Browsers keep to TLS where this server is reached through it: by the address that the operator
 * gave, or as a trusted proxy says. Over plain HTTP they ignore the header.
 */
export function makeSecurityHeaders(public_url: string): SecurityHeaders {
  const isSecure = public_url.toLowerCase().startsWith('https:');
  return (request) => (isSecure || request.protocol === 'https' ? securely : noSniffing);
}
