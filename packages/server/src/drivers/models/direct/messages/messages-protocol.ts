import { type Protocol, urlOf } from '../protocol.ts';
import { messagesBody } from './messages-body.ts';
import { messagesError } from './messages-error.ts';
import { MessagesReader } from './messages-reader.ts';

/** Anthropic's `/messages`. */
export const messagesProtocol: Protocol = {
  prepare(options, address, model) {
    const { body, betas, by_tool, warnings } = messagesBody(options, model);
    // The address of the provider is often given without its version.
    const base_url = address.base_url?.replace(/^(https:\/\/api\.anthropic\.com)\/?$/, '$1/v1') ?? null;
    return {
      url: urlOf({ ...address, base_url }, '/messages'),
      headers: {
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'x-api-key': address.api_key ?? '',
        ...(betas.size > 0 && { 'anthropic-beta': [...betas].join(',') }),
      },
      body,
      warnings,
      reader: new MessagesReader({ by_tool }),
    };
  },
  refusalMessage: messagesError,
};
