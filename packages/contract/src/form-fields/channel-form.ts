import {
  type ChannelField,
  type ChannelName,
  channelConfigs,
  channelFields,
  channels,
} from '../deployments/channel-config.ts';
import { deploymentCreate } from '../deployments/schema.ts';
import type { Permission } from '../permissions.ts';
import { type Form, type FormField, fieldFrom, groupsOf, orderFields } from './form.ts';
import { type FieldText, valueForm } from './form-field.ts';

type SectionText = FieldText & { section: string };

const variants: Record<ChannelName, { label: string; help: string }> = {
  web: { label: 'Web page', help: 'A public chat page, which other pages can embed.' },
  webhook: { label: 'Webhook', help: 'A program posts messages and gets replies posted.' },
  slack: { label: 'Slack', help: 'A Slack app whose bot the agent speaks as.' },
  teams: { label: 'Microsoft Teams', help: 'A Teams bot that the agent speaks as.' },
  email: { label: 'E-mail', help: 'Mails to an address are answered by mail.' },
};

const recordTexts = {
  channel: {
    label: 'Channel',
    help: 'The channel to deploy to; it cannot be changed.',
    options: Object.fromEntries(channels.map((name) => [name, variants[name].label])),
  },
  name: { label: 'Name', help: 'The name of the deployment; the name of the channel unless given.' },
  enabled: { label: 'On', help: 'Whether messages are accepted.' },
  custom_instructions: {
    label: 'Instructions for this channel',
    help: 'Added to the prompt of its conversations.',
    control: 'long_text',
  },
} satisfies Record<Exclude<keyof typeof deploymentCreate.shape, 'config'>, FieldText>;

const images = {
  allow_remote_images: {
    label: 'Images of other servers',
    help: 'Whether replies may show images of other servers. The address of an image can leak data.',
    section: 'Safety',
  },
};
const colleagues = {
  respond_to: {
    label: 'Answers',
    help: 'Every message that arrives, or only those that mention the agent or belong to its threads.',
    options: { all: 'Every message', mentions: 'Mentions and threads' },
    section: 'Behaviour',
  },
  trusted_senders: {
    label: 'Only colleagues write here',
    help: 'Messages of colleagues are not treated as untrusted content.',
    section: 'Safety',
  },
  ...images,
};
const limit = (label: string, help: string, unit: string) => ({ label, help, unit, section: 'Limits' });

/** The words of each field, by channel: a field may mean another thing in another channel. */
const texts: Record<ChannelName, Partial<Record<ChannelField, SectionText>>> = {
  web: {
    title: {
      label: 'Heading',
      help: 'The heading of the chat page; the name of the agent unless given.',
      section: 'Page',
    },
    greeting: {
      ...{ label: 'Greeting', help: 'A text that the chat page shows before the first message.', section: 'Page' },
      control: 'long_text',
    },
    accent: { label: 'Colour', help: 'The colour of the chat page, as `#rrggbb`.', control: 'color', section: 'Page' },
    allow_files: { label: 'Files', help: 'Whether visitors may attach files.', section: 'Page' },
    allowed_origins: {
      label: 'Pages that may embed it',
      help: 'The origins of pages that may embed the chat page, such as `https://*.shop.example`. Empty: none.',
      section: 'Safety',
    },
    max_conversations_per_hour: limit(
      'Conversations of all visitors',
      'Conversations that all visitors together may begin in an hour.',
      'conversations an hour',
    ),
    max_messages_per_hour: limit(
      'Messages of all visitors',
      'Messages that all visitors together may send in an hour.',
      'messages an hour',
    ),
    max_visitor_conversations_per_hour: limit(
      'Conversations of one address',
      'Conversations that one network address may begin in an hour.',
      'conversations an hour',
    ),
    max_visitor_messages_per_minute: limit(
      'Messages of one conversation',
      'Messages that one conversation may receive in a minute.',
      'messages a minute',
    ),
  },
  webhook: {
    reply_url: {
      label: 'Address for replies',
      help: 'Where replies are posted to. Empty: they are not sent. Another host needs the signing secret again.',
      section: 'Connection',
    },
    signing_secret: {
      label: 'Signing secret',
      help: 'Signs requests in both directions; generated unless given.',
      section: 'Connection',
    },
    ...images,
  },
  slack: {
    bot_token: { label: 'Bot token', help: 'The bot token of the Slack app (`xoxb-…`).', section: 'Connection' },
    signing_secret: {
      label: 'Signing secret',
      help: 'The signing secret of the Slack app, by which its requests are known.',
      section: 'Connection',
    },
    ...colleagues,
    api_url: {
      label: 'Address of the Slack API',
      help: 'The base address of the Slack API. Another one needs the bot token again.',
      ...{ advanced: true, section: 'Connection' },
    },
  },
  teams: {
    app_id: { label: 'App id', help: 'The app id of the bot.', section: 'Connection' },
    app_password: { label: 'Client secret', help: 'The client secret of the bot.', section: 'Connection' },
    ...colleagues,
    openid_url: {
      label: 'OpenID configuration',
      help: 'The OpenID configuration that names the keys which sign requests.',
      ...{ advanced: true, section: 'Connection' },
    },
    token_url: {
      label: 'Address of tokens',
      help: 'Where access tokens are requested. Another one needs the client secret again.',
      ...{ advanced: true, section: 'Connection' },
    },
    issuer: {
      label: 'Issuer',
      help: 'The issuer that tokens of requests must have.',
      ...{ advanced: true, section: 'Connection' },
    },
    service_hosts: {
      label: 'Hosts of replies',
      help: 'The hosts that replies may be sent to. Others need the client secret again.',
      ...{ advanced: true, section: 'Connection' },
    },
  },
  email: {
    address: { label: 'Sender address', help: 'The address that replies are sent from.', section: 'Connection' },
    from_name: {
      label: 'Sender name',
      help: 'The name of the sender; the name of the agent unless given.',
      section: 'Connection',
    },
    smtp_host: {
      label: 'SMTP server',
      help: 'The server that sends replies. Another one needs the password again.',
      section: 'Connection',
    },
    smtp_port: { label: 'SMTP port', help: 'The port of the SMTP server.', section: 'Connection' },
    smtp_tls: {
      label: 'Encryption',
      help: 'How the connection is encrypted; none only for a server on the same machine.',
      options: { starttls: 'STARTTLS', tls: 'TLS', none: 'None' },
      section: 'Connection',
    },
    smtp_username: {
      label: 'User name',
      help: 'The user name at the SMTP server. Empty: the server is used without a login.',
      section: 'Connection',
    },
    smtp_password: { label: 'Password', help: 'The password at the SMTP server.', section: 'Connection' },
    inbound_secret: {
      label: 'Inbound secret',
      help: 'Proves that a request comes from the mail service; generated unless given.',
      section: 'Connection',
    },
    allowed_senders: {
      label: 'Senders that are answered',
      help: 'The addresses or domains that may write to the agent. Empty: everyone.',
      section: 'Safety',
    },
    max_sender_messages_per_hour: limit(
      'Messages of one sender',
      'Messages of one sender that are answered in an hour.',
      'messages an hour',
    ),
    ...images,
  },
};

const permission: Permission[] = ['agents_edit'];
const recordDefaults: Record<string, unknown> = { enabled: true };

const recordFields = Object.entries(recordTexts).map(([key, text]: [string, FieldText]) => [key, text] as const);

const configFields = (channel: ChannelName): FormField[] => {
  const { needed, defaults } = channelConfigs[channel];
  return (Object.entries(texts[channel]) as [ChannelField, SectionText][]).map(([key, { section, ...text }]) =>
    fieldFrom(valueForm(channelFields[key], text), text, {
      ...{ key, variant: channel, path: ['config', key], group: 'config', section, permission },
      ...{ required: needed.includes(key), default: defaults[key] ?? null },
    }),
  );
};

/** The form of a deployment: its own fields, and the configuration of each channel. */
export function channelForm(): Form {
  const fields = [
    ...recordFields.map(([key, text]) =>
      fieldFrom(valueForm(deploymentCreate.shape[key as keyof typeof recordTexts], text), text, {
        ...{ key, path: [key], group: 'record', section: 'General', permission },
        ...{ required: key === 'channel', default: recordDefaults[key] ?? null },
      }),
    ),
    ...channels.flatMap(configFields),
  ];
  return {
    ...{ kind: 'channels', label: 'Channels', create: ['POST /v1/agents/{agent_id}/deployments'] },
    update: 'PATCH /v1/agents/{agent_id}/deployments/{deployment_id}',
    variant_path: ['channel'],
    variants: channels.map((variant) => ({ variant, ...variants[variant] })),
    groups: groupsOf(fields, { record: 'General', config: 'Configuration' }),
    fields: orderFields(fields),
  };
}
