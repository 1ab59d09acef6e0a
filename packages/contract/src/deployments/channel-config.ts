import type * as z from 'zod';
import { InvalidRequest, type ValidationError } from '../errors.ts';
import { keysOf, objectOf } from '../keys-of.ts';
import * as s from '../schema/schema.ts';

export const channels = ['web', 'webhook', 'slack', 'teams', 'email'] as const;
export type ChannelName = (typeof channels)[number];

const secret = s.str({ min: 8, max: 4000, secret: true });
const address = s.str({ max: 2000, pattern: /^https?:\/\/[^\s@?#]+$/ });
const host = s.str({ min: 1, max: 253, pattern: /^[A-Za-z0-9*][A-Za-z0-9.:*-]*$/ });
const many = s.int({ ge: 1, le: 1_000_000 });
const mailAddress = s.str({ max: 320, pattern: /^[^\s@<>"]+@[^\s@<>"]+$/ });

/** The fields of all channels; `channelConfigs` says which channel has which. */
export const channelFields = {
  allowed_origins: s
    .list(s.str({ max: 300, pattern: /^https?:\/\/[A-Za-z0-9.*-]+(?::\d{1,5})?$/ }), { max: 50 })
    .describe(
      'web: the origins of pages that may embed the chat page (`https://shop.example`, `https://*.shop.example`); none unless given.',
    ),
  title: s.str({ min: 1, max: 200 }).describe('web: the heading of the chat page; the name of the agent unless given.'),
  greeting: s.str({ min: 1, max: 2000 }).describe('web: a text that the chat page shows before the first message.'),
  accent: s.str({ pattern: /^#[0-9A-Fa-f]{6}$/ }).describe('web: the colour of the chat page, as `#rrggbb`.'),
  allow_files: s.bool().describe('web: whether visitors may attach files; true unless given.'),
  allow_remote_images: s
    .bool()
    .describe(
      'webhook, slack, teams, email: whether replies may show images of other servers; false unless given, since the address of an image can leak data.',
    ),
  max_conversations_per_hour: many.describe(
    'web: conversations that all visitors together may begin in an hour; 1000 unless given.',
  ),
  max_messages_per_hour: many.describe(
    'web: messages that all visitors together may send in an hour; 5000 unless given.',
  ),
  max_visitor_conversations_per_hour: many.describe(
    'web: conversations that one network address may begin in an hour; 100 unless given.',
  ),
  max_visitor_messages_per_minute: many.describe(
    'web: messages that one conversation may receive in a minute; 20 unless given.',
  ),
  max_sender_messages_per_hour: many.describe(
    'email: messages of one sender that are answered in an hour; 30 unless given.',
  ),
  reply_url: s
    .str({ max: 2000, pattern: /^https?:\/\/[^\s@#]+$/ })
    .describe(
      'webhook: where replies are posted to; without it they are not sent. Another host needs `signing_secret` again.',
    ),
  signing_secret: secret.describe(
    'webhook: signs requests in both directions, generated unless given. slack: the signing secret of the app, required.',
  ),
  bot_token: secret.describe('slack: the bot token of the app (`xoxb-…`), required.'),
  respond_to: s
    .oneOf(['all', 'mentions'])
    .describe(
      'slack, teams: `all` answers every message that arrives, `mentions` only those that mention the agent or belong to its threads; `all` unless given.',
    ),
  trusted_senders: s
    .bool()
    .describe(
      'slack, teams: whether only colleagues can write here, so that their messages are not treated as untrusted; false unless given.',
    ),
  api_url: address.describe('slack: the base address of the Slack API; another one needs `bot_token` again.'),
  app_id: s.str({ min: 1, max: 200 }).describe('teams: the app id of the bot, required.'),
  app_password: secret.describe('teams: the client secret of the bot, required.'),
  openid_url: address.describe('teams: the OpenID configuration that names the keys which sign requests.'),
  token_url: address.describe('teams: where access tokens are requested; another one needs `app_password` again.'),
  issuer: s.str({ min: 1, max: 500 }).describe('teams: the issuer that tokens of requests must have.'),
  service_hosts: s
    .list(host, { min: 1, max: 20 })
    .describe('teams: the hosts that replies may be sent to; others need `app_password` again.'),
  address: mailAddress.describe('email: the address that replies are sent from, required.'),
  from_name: s
    .str({ min: 1, max: 200, pattern: /^[^\r\n]*$/ })
    .describe('email: the name of the sender; the name of the agent unless given.'),
  smtp_host: host.describe('email: the SMTP server, required; another one needs `smtp_password` again.'),
  smtp_port: s.int({ ge: 1, le: 65_535 }).describe('email: the port of the SMTP server; 587 unless given.'),
  smtp_tls: s
    .oneOf(['starttls', 'tls', 'none'])
    .describe(
      'email: how the connection is encrypted; `starttls` unless given, `none` only for a server on the same machine.',
    ),
  smtp_username: s
    .str({ min: 1, max: 500 })
    .describe('email: the user name at the SMTP server; without it the server is used without a login.'),
  // The mail server sets the rules for passwords, so that a short one is valid.
  smtp_password: s.str({ min: 1, max: 4000, secret: true }).describe('email: the password at the SMTP server.'),
  inbound_secret: secret.describe('email: proves that a request comes from the mail service; generated unless given.'),
  allowed_senders: s
    .list(s.str({ min: 1, max: 320 }), { max: 1000 })
    .describe('email: the addresses or domains that may write to the agent; everyone unless given.'),
};
export type ChannelField = keyof typeof channelFields;

/** Keeps the description, which stands on the outermost schema in the OpenAPI document. */
const describeOptional = (schema: z.ZodType) => s.optional(schema).describe(schema.description ?? '');

/** `checkConfig` then checks the fields against those of the channel. */
export const configInput = s
  .object(objectOf(keysOf(channelFields), (name) => describeOptional(channelFields[name])))
  .meta({ id: 'DeploymentConfig' });

interface ChannelConfig {
  needed: readonly ChannelField[];
  /** The value of a field that is not given; null: the channel works without one. */
  defaults: Partial<Record<ChannelField, unknown>>;
  secrets: readonly ChannelField[];
  /** Generated when the caller gives none, and shown once. */
  made: readonly ChannelField[];
  /** Address → secret that is sent to it: a new address needs the secret again, so that an editor cannot divert it. */
  sent_to: Partial<Record<ChannelField, ChannelField>>;
  /** Address → secret that signs what is sent to it: an address on another host needs the secret again. */
  signed_for?: Partial<Record<ChannelField, ChannelField>>;
}

export const channelConfigs: Record<ChannelName, ChannelConfig> = {
  web: {
    needed: [],
    defaults: {
      ...{ allowed_origins: [], title: null, greeting: null, accent: null, allow_files: true },
      // The page is public: these limits are more than people need and less than a script could use.
      ...{ max_conversations_per_hour: 1000, max_messages_per_hour: 5000 },
      ...{ max_visitor_conversations_per_hour: 100, max_visitor_messages_per_minute: 20 },
    },
    ...{ secrets: [], made: [], sent_to: {} },
  },
  webhook: {
    needed: [],
    defaults: { reply_url: null, allow_remote_images: false },
    ...{ secrets: ['signing_secret'], made: ['signing_secret'], sent_to: {} },
    signed_for: { reply_url: 'signing_secret' },
  },
  slack: {
    needed: ['signing_secret', 'bot_token'],
    defaults: {
      ...{ respond_to: 'all', trusted_senders: false, allow_remote_images: false },
      api_url: 'https://slack.com/api',
    },
    ...{ secrets: ['signing_secret', 'bot_token'], made: [], sent_to: { api_url: 'bot_token' } },
  },
  teams: {
    needed: ['app_id', 'app_password'],
    defaults: {
      ...{ respond_to: 'all', trusted_senders: false, allow_remote_images: false },
      openid_url: 'https://login.botframework.com/v1/.well-known/openidconfiguration',
      token_url: 'https://login.microsoftonline.com/botframework.com/oauth2/v2.0/token',
      issuer: 'https://api.botframework.com',
      service_hosts: [
        'smba.trafficmanager.net',
        '*.botframework.com',
        '*.botframework.us',
        'smba.infra.gov.teams.microsoft.us',
      ],
    },
    ...{ secrets: ['app_password'], made: [], sent_to: { token_url: 'app_password', service_hosts: 'app_password' } },
  },
  email: {
    needed: ['address', 'smtp_host'],
    defaults: {
      ...{ from_name: null, smtp_port: 587, smtp_tls: 'starttls', smtp_username: null, allowed_senders: [] },
      allow_remote_images: false,
      // Limits two programs that answer each other without end.
      max_sender_messages_per_hour: 30,
    },
    secrets: ['smtp_password', 'inbound_secret'],
    made: ['inbound_secret'],
    // Without encryption the network reads the password, so that smtp_tls counts as an address too.
    sent_to: { smtp_host: 'smtp_password', smtp_port: 'smtp_password', smtp_tls: 'smtp_password' },
  },
};

export type ConfigValues = Partial<Record<ChannelField, unknown>>;

const validationError = (field: string, type: string, msg: string, input: unknown): ValidationError => ({
  ...{ loc: ['body', 'config', field], msg, type, input, ctx: {} },
});

/** Checks the given fields against those of the channel; throws all validation errors at once. */
export function checkConfig(channel: ChannelName, given: ConfigValues, whole: ConfigValues): void {
  const { needed, defaults, secrets } = channelConfigs[channel];
  const taken = new Set<string>([...needed, ...Object.keys(defaults), ...secrets]);
  const extra = Object.keys(given).filter((name) => !taken.has(name));
  const missing = needed.filter((name) => whole[name] === undefined || whole[name] === null);
  const validationErrors = [
    ...extra.map((name) => validationError(name, 'extra_forbidden', 'Extra inputs are not permitted', null)),
    ...missing.map((name) => validationError(name, 'missing', 'Field required', null)),
  ];
  if (validationErrors.length) throw new InvalidRequest(validationErrors);
}
