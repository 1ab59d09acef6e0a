import { c } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const headerFields = c.dict({
  default: {},
  description: 'Headers by name; {{secret.NAME}} stands for a secret that only the receiver gets to see',
});

export const httpRequestNodeType = nodeType({
  type: 'HttpRequestNode',
  title: 'HTTP request',
  description: 'Asks another service, and goes on with its answer.',
  category: 'integrations',
  effects: 'outside',
  inputs: [keyed('variables', { optional: true })],
  outputs: [plain('body', { data_type: 'Custom' }), plain('response', { data_type: 'dict' })],
  timeout: 60,
  config: {
    method: c.choice(methods, { default: 'GET', description: 'What to do' }),
    url: c.raw({ description: 'The address, with ((Key)) where a value belongs' }),
    headers: headerFields,
    body: c.raw({
      default: '',
      description: 'What to send, with ((Key)) where a value belongs; inside of a text of JSON it is escaped',
    }),
    fail_on_status: c.bool({ default: true, description: 'Whether a status of 400 or more is a failure' }),
  },
  example: {
    method: 'POST',
    url: 'https://crm.example.com/customers/((Customer))/notes',
    headers: { authorization: 'Bearer {{secret.CRM_KEY}}' },
    body: '{"text": "((Note))"}',
  },
});

export const sendWebhookNodeType = nodeType({
  type: 'SendWebhookNode',
  title: 'Send webhook',
  description: 'Tells another service about something, signed so that it knows who says it.',
  category: 'integrations',
  effects: 'outside',
  // The receiver recognizes a repeated message by its id.
  repeatable: true,
  timeout: 30,
  inputs: [plain('payload', { data_type: 'Custom' })],
  outputs: [plain('status', { data_type: 'Custom' })],
  config: {
    url: c.text({ max: 2000, description: 'Where to send it' }),
    secret: c.text({ default: '', description: 'What it is signed with, as {{secret.NAME}}; unsigned when empty' }),
  },
  example: { url: 'https://hooks.example.com/orders', secret: '{{secret.HOOK_KEY}}' },
});
