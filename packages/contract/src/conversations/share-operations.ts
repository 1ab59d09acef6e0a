import * as z from 'zod';
import { actorField } from '../actor.ts';
import { createdAt } from '../fields.ts';
import { operation } from '../operation.ts';
import { conflicts, noSuch, refused } from '../operation-errors.ts';
import { success } from '../page.ts';
import * as s from '../schema/schema.ts';
import { conversationsRoutes } from './routes.ts';
import { conversationId, conversationParams } from './schema.ts';

const tag = 'Conversations';
const permission = 'agents_run';

export const granteeKinds = ['person', 'user_group', 'role'] as const;
export const shareAccess = ['read', 'write'] as const;

const kind = z.enum(granteeKinds).describe('One person, a group of people, or a role of the workspace.');
const access = z
  .enum(shareAccess)
  .describe('`read`: they read it and follow its answers. `write`: they also send messages and decide its approvals.');

const share = z
  .strictObject({
    id: z.guid().describe('The id of the share; it ends the share.'),
    conversation_id: z.guid().describe('The conversation that is shared.'),
    kind,
    grantee_id: z.guid().describe('The id of the person, group or role that it is shared with.'),
    grantee_name: z
      .string()
      .nullable()
      .describe('The name of the person, group or role; null when it no longer belongs to the workspace.'),
    access,
    created_at: createdAt,
    created_by: z.guid().nullable().describe('The id of who shared it.'),
    created_by_actor: actorField('Who shared it.'),
  })
  .meta({ id: 'ConversationGrant' });

const shares = z.strictObject({
  items: z.array(share).describe('Whom it is shared with, the first one first.'),
  restricted_answers: z
    .int()
    .describe(
      'How many of its answers were made from documents that not everybody may read. Readers who may not read all of these documents do not see these answers; guests of a link see none of them.',
    ),
});

const shareBody = s
  .object({
    person_id: s.optional(s.uuid('person')).describe('The person to share it with, as `GET /v1/audience` lists them.'),
    user_group_id: s.optional(s.uuid('user_group')).describe('The group whose members get it, in place of a person.'),
    role_id: s.optional(s.uuid('role')).describe('The role whose holders get it, in place of a person.'),
    access: s
      .withDefault(s.oneOf(shareAccess), 'read')
      .describe(
        '`read`: they read it and follow its answers. `write`: they also send messages and decide its approvals.',
      ),
  })
  .meta({ id: 'ConversationGrantCreate' });

const audienceQuery = s.query({
  search: s.optional(s.str({ min: 1, max: 200 })).describe('Only those whose name has this text, in any case.'),
  kind: s.optional(s.oneOf(granteeKinds)).describe('Only people, only groups, or only roles.'),
  id: s.optional(s.uuid()).describe('Only the one with this id, such as to name it.'),
  size: s.withDefault(s.int({ ge: 1, le: 100 }), 50).describe('The most entries of each kind.'),
});

const audience = z.strictObject({
  items: z
    .array(
      z.strictObject({
        kind,
        id: z.guid().describe('The id of the person, group or role.'),
        name: z.string().describe('The name of the person, group or role.'),
      }),
    )
    .describe('People first, then groups, then roles, each by name.'),
});

const mayNotShare = refused('forbidden', 'Only its owner and callers with `conversations_read` share a conversation.');

export const listAudience = operation({
  id: 'audience.list',
  route: conversationsRoutes['audience.list'],
  summary: 'List whom things can be shared with',
  description:
    'Returns the people who may act in the workspace, the groups that are members of it and its roles, by id and name: the ones that conversations are shared with, and that `visible_to` of documents names. Mail addresses are not part of it. Callers with `flows_edit` alone get no roles.',
  tag,
  permission: ['agents_run', 'flows_edit', 'kbs_edit'],
  query: audienceQuery,
  answer: audience,
});

export const listShares = operation({
  id: 'conversations.listShares',
  route: conversationsRoutes['conversations.listShares'],
  summary: 'List whom a conversation is shared with',
  description:
    'Returns the people, groups and roles of the workspace that the conversation is shared with, and what each may do. Everybody who sees the conversation may read the list.',
  tag,
  permission,
  params: conversationParams,
  answer: shares,
  errors: [noSuch('conversation')],
});

export const shareWith = operation({
  id: 'conversations.shareWith',
  route: conversationsRoutes['conversations.shareWith'],
  summary: 'Share a conversation with colleagues',
  description:
    'Lets a person, the members of a group or the holders of a role read the conversation, or also write in it. They find it with `shared=true` in the list of conversations and are notified. The body names exactly one of them. Sharing again changes what they may do. They act with their own permissions, do not share it further, and neither change its settings nor delete it.',
  tag,
  permission,
  params: conversationParams,
  body: shareBody,
  example: { person_id: '019a8a4e-7e10-7a43-8a51-5c9d3d1b0a10', access: 'write' },
  answer: share,
  errors: [
    noSuch('conversation, person, group or role'),
    mayNotShare,
    conflicts('own_conversation', 'The conversation belongs to this person.'),
    conflicts('too_many_shares', 'A conversation is shared with at most 100 people, groups and roles.'),
  ],
});

export const unshareWith = operation({
  id: 'conversations.unshareWith',
  route: conversationsRoutes['conversations.unshareWith'],
  summary: 'Stop sharing a conversation with colleagues',
  description:
    'Ends one share at once and closes the streams that were opened by it. A person whom the conversation is shared with may end their own share.',
  tag,
  permission,
  params: s.object({
    conversation_id: conversationId,
    share_id: s.uuid('conversation_share').describe('The id of the share.'),
  }),
  answer: success,
  errors: [noSuch('conversation or share'), mayNotShare],
});

export const conversationShareOperations = [listAudience, listShares, shareWith, unshareWith];
export type ConversationGrant = z.output<typeof share>;
export type ConversationGrantCreate = z.output<typeof shareBody>;
export type AudienceQuery = z.output<typeof audienceQuery>;
export type Grantee = z.output<typeof audience>['items'][number];
export type GranteeKind = (typeof granteeKinds)[number];
export type ShareAccess = (typeof shareAccess)[number];
