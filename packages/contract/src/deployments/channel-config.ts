import type { z } from 'zod';
import { InvalidRequest, type ValidationError } from '../errors.ts';
import * as s from '../schema/schema.ts';

export const channels = ['web', 'webhook', 'slack', 'teams', 'email'] as const;
export type ChannelName = (typeof channels)[number];

const secret = s.str({ min: 8, max: 4000, secret: true });
const address = s.str({ max: 2000, pattern: /^https?:\/\/[^\s@?#]+$/ });
const host = s.str({ min: 1, max: 253, pattern: /^[A-Za-z0-9*][A-Za-z0-9.:*-]*$/ });
const many = s.int({ ge: 1, le: 1_000_000 });
const mailAddress = s.str({ max: 320, pattern: /^[^\s@<>"]+@[^\s@<>"]+$/ });

/** Every field that some channel is set up with. Which one takes which, `channelConfigs` says. */
const fields = {
  allowed_origins: s.list(s.str({ max: 300, pattern: /^https?:\/\/[A-Za-z0-9.*-]+(?::\d{1,5})?$/ }), { max: 50 }),
  title: s.str({ min: 1, max: 200 }),
  greeting: s.str({ min: 1, max: 2000 }),
  accent: s.str({ pattern: /^#[0-9A-Fa-f]{6}$/ }),
  allow_files: s.bool(),
  allow_remote_images: s.bool(),
  max_conversations_per_hour: many,
  max_messages_per_hour: many,
  max_visitor_conversations_per_hour: many,
  max_visitor_messages_per_minute: many,
  max_sender_messages_per_hour: many,
  reply_url: s.str({ max: 2000, pattern: /^https?:\/\/[^\s@#]+$/ }),
  signing_secret: secret,
  bot_token: secret,
  respond_to: s.oneOf(['all', 'mentions']),
  trusted_senders: s.bool(),
  api_url: address,
  app_id: s.str({ min: 1, max: 200 }),
  app_password: secret,
  openid_url: address,
  token_url: address,
  issuer: s.str({ min: 1, max: 500 }),
  service_hosts: s.list(host, { min: 1, max: 20 }),
  address: mailAddress,
  from_name: s.str({ min: 1, max: 200, pattern: /^[^\r\n]*$/ }),
  smtp_host: host,
  smtp_port: s.int({ ge: 1, le: 65_535 }),
  smtp_tls: s.oneOf(['starttls', 'tls', 'none']),
  smtp_username: s.str({ min: 1, max: 500 }),
  // Chosen by others, who may have been content with less.
  smtp_password: s.str({ min: 1, max: 4000, secret: true }),
  inbound_secret: secret,
  allowed_senders: s.list(s.str({ min: 1, max: 320 }), { max: 1000 }),
};
type Field = keyof typeof fields;

/** Checked further by the channel that it is for. */
export const configInput = s
  .object(
    Object.fromEntries(
      Object.entries(fields).map(([name, schema]) => [name, s.optional(schema as z.ZodType)]),
    ) as Record<Field, z.ZodOptional<z.ZodType>>,
  )
  .meta({ id: 'DeploymentConfig' });

interface ChannelConfig {
  needed: readonly Field[];
  /** What is taken when nothing is said; null: nothing. */
  defaults: Partial<Record<Field, unknown>>;
  secrets: readonly Field[];
  /** Made by us where the caller brings none, and shown that once. */
  made: readonly Field[];
  /** Where a secret is sent to: another place needs the secret to be given again. */
  sent_to: Partial<Record<Field, Field>>;
  /** Where only what is signed with a secret is sent to: another host than the one before needs it again. */
  signed_for?: Partial<Record<Field, Field>>;
}

export const channelConfigs: Record<ChannelName, ChannelConfig> = {
  web: {
    needed: [],
    defaults: {
      ...{ allowed_origins: [], title: null, greeting: null, accent: null, allow_files: true },
      // The page is open to the world: more than people ask for, less than a script could.
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
      // Two programs that answer each other would go on for ever.
      max_sender_messages_per_hour: 30,
    },
    secrets: ['smtp_password', 'inbound_secret'],
    made: ['inbound_secret'],
    // Without encryption whoever is on the way reads it too.
    sent_to: { smtp_host: 'smtp_password', smtp_port: 'smtp_password', smtp_tls: 'smtp_password' },
  },
};

export type ConfigValues = Partial<Record<Field, unknown>>;

const validationError = (field: string, type: string, msg: string, input: unknown): ValidationError => ({
  ...{ loc: ['body', 'config', field], msg, type, input, ctx: {} },
});

/** What a caller gave, held against what the channel takes. Everything wrong with it in one answer. */
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
