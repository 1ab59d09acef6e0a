import { z } from 'zod';
import { fieldsOf } from '../../../lib/json/fields-of.ts';
import { type Inbound, type InboundFile, unreadable } from '../channel.ts';

const account = z.looseObject({ id: z.string(), name: z.string().nullish() });

const activity = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  channelId: z.string().default(''),
  serviceUrl: z.string(),
  from: account.optional(),
  recipient: account.optional(),
  conversation: z
    .looseObject({ id: z.string(), conversationType: z.string().nullish(), tenantId: z.string().nullish() })
    .optional(),
  text: z.string().nullish(),
  attachments: z
    .array(
      z.looseObject({
        contentType: z.string().nullish(),
        contentUrl: z.string().nullish(),
        name: z.string().nullish(),
        content: z.unknown().optional(),
      }),
    )
    .nullish(),
  entities: z
    .array(z.looseObject({ type: z.string().nullish(), mentioned: account.nullish(), text: z.string().nullish() }))
    .nullish(),
  channelData: z
    .looseObject({
      team: z.looseObject({ id: z.string().nullish() }).nullish(),
      channel: z.looseObject({ id: z.string().nullish() }).nullish(),
      tenant: z.looseObject({ id: z.string().nullish() }).nullish(),
    })
    .nullish(),
});

export type Activity = z.output<typeof activity>;

export function readActivity(bytes: Buffer): Activity {
  try {
    return activity.parse(JSON.parse(bytes.toString()));
  } catch {
    throw unreadable('This is no activity of the Bot Framework');
  }
}

const downloadInfo = 'application/vnd.microsoft.teams.file.download.info';

/** Files that were sent along: those of a team's store bring an address to fetch them from, images are kept by the service. */
function filesOf({ attachments }: Activity): InboundFile[] {
  return (attachments ?? []).flatMap(({ contentType, contentUrl, name, content }) => {
    const { downloadUrl: download } = fieldsOf(content);
    const url = contentType === downloadInfo ? download : /^image\//.test(contentType ?? '') ? contentUrl : undefined;
    return typeof url === 'string' ? [{ name: name || 'file', url }] : [];
  });
}

/** The words without the mention of the bot, which stands in them as `<at>Name</at>`. */
function textOf({ text, entities, recipient }: Activity): string {
  let said = text ?? '';
  for (const { type, mentioned, text: mark } of entities ?? [])
    if (type === 'mention' && mentioned?.id === recipient?.id && mark) said = said.replaceAll(mark, '');
  return said.replaceAll(/<at>(.*?)<\/at>/g, '@$1').trim();
}

/** A message of a person to the bot; undefined for any other activity. */
export function messageOf(told: Activity): Inbound | undefined {
  const { type, id, from, recipient, conversation, serviceUrl, channelData, entities } = told;
  if (type !== 'message' || !id || !from || !recipient || !conversation || from.id === recipient.id) return undefined;
  const text = textOf(told);
  const files = filesOf(told);
  if (!text && files.length === 0) return undefined;
  const direct = conversation.conversationType === 'personal';
  const tenant_id = channelData?.tenant?.id ?? conversation.tenantId ?? '';
  const mentioned = (entities ?? []).some((one) => one.type === 'mention' && one.mentioned?.id === recipient.id);
  const place = { team_id: channelData?.team?.id ?? tenant_id, channel: channelData?.channel?.id ?? conversation.id };
  return {
    event_id: `${conversation.id}:${id}`,
    // A thread of a team's channel has an id of its own, which is the conversation's.
    thread: conversation.id,
    ref: {
      ...{ service_url: serviceUrl, conversation: conversation.id, activity_id: id, tenant_id },
      ...{ bot: { id: recipient.id, name: recipient.name ?? null }, user: { id: from.id, name: from.name ?? null } },
    },
    ...{ text, files },
    ...(!direct && { place, unaddressed: !mentioned }),
  };
}
