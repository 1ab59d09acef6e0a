import * as z from 'zod';
import { operation } from '../operation.ts';
import { conflicts, noSuch, refused } from '../operation-errors.ts';
import { paged, success, summaryOf } from '../page.ts';
import { keysRoutes } from './routes.ts';
import {
  allApiKeysQuery,
  apiKey,
  apiKeyCreate,
  apiKeyParams,
  apiKeyPatch,
  apiKeyRotate,
  groupParams,
  me,
} from './schema.ts';

const tag = 'API keys';

export const getOwnApiKey = operation({
  id: 'keys.getOwn',
  route: keysRoutes['keys.getOwn'],
  summary: 'Get the API key of the request',
  description:
    'Returns the API key that the request is made with, its permissions and its tenant. Use it to check a key and to find out what it may do; every valid key can call it.',
  tag,
  permission: 'any',
  answer: me,
});

export const listApiKeys = operation({
  id: 'keys.list',
  route: keysRoutes['keys.list'],
  summary: 'List the API keys of a workspace',
  description:
    'Returns all API keys of the workspace in one list, without pages; a workspace has few of them. Only the first characters of each value are shown. A system key can name any workspace of its tenant, other keys only their own.',
  tag,
  permission: 'workspace_admin',
  params: groupParams,
  errors: [noSuch('workspace')],
  answer: z.array(apiKey),
});

export const listAllApiKeys = operation({
  id: 'keys.listAll',
  route: keysRoutes['keys.listAll'],
  summary: 'List the API keys of all workspaces',
  description:
    'Returns the API keys of the whole tenant, page by page: first those with an end, the soonest at the front, then those without, and keys that have expired last. `expires_before` leaves only keys with an earlier end, expired ones too.',
  tag,
  permission: 'org:admin',
  query: allApiKeysQuery,
  answer: paged(
    apiKey,
    summaryOf(apiKey, [
      'id',
      'group_id',
      'name',
      'tenant_admin',
      'role_id',
      'expires_at',
      'last_used_at',
      'created_at',
    ]),
  ),
});

export const createApiKey = operation({
  id: 'keys.create',
  route: keysRoutes['keys.create'],
  summary: 'Create an API key; its value is shown once',
  description:
    'Creates an API key and returns its whole value, which cannot be read again. The permissions are given one by one (`permissions`) or by a role (`role_id`). A caller can grant only permissions that it holds itself, and a role only when it holds all of that role. A role of another workspace is answered with 404, and one that holds `org:admin` is refused: that goes with `tenant_admin`. A caller with a rate limit cannot create a key with a higher one. The key belongs to the person who makes it, to the owner of the key that makes it, or to the service account that `service_account_id` names; it never holds more than its owner holds at that moment.',
  tag,
  permission: 'workspace_admin',
  params: groupParams,
  body: apiKeyCreate,
  example: { name: 'Ticket system', permissions: ['agents_run'] },
  errors: [
    refused('forbidden', 'The caller lacks a permission that the key, or its role, would hold.'),
    noSuch('workspace, role or service account'),
  ],
  answer: apiKey,
});

export const updateApiKey = operation({
  id: 'keys.update',
  route: keysRoutes['keys.update'],
  summary: 'Change the name, permissions or limits of an API key',
  description:
    'Changes the given fields and keeps the others; the value of the key stays. The change acts at once on every node, and streams that the key may no longer read are closed. A caller can change only keys that hold no more than it does itself, and can grant only what it holds. A system key always holds `org:admin`; no key changes its own `expires_at`. The key of `ATRIUM_ADMIN_KEY` and expired keys cannot be changed. With `owner` the key is handed over; its value stays, so rotate it when the former owner should not know it any more.',
  tag,
  permission: 'workspace_admin',
  params: apiKeyParams,
  body: apiKeyPatch,
  example: { name: 'Ticket system', rate_limit: 120 },
  errors: [
    refused('forbidden', 'The key holds more than the caller, or would after the change.'),
    noSuch('API key, role or new owner'),
    conflicts('conflict', 'The key is set by `ATRIUM_ADMIN_KEY`, has expired, or would change its own end.'),
  ],
  answer: apiKey,
});

export const revokeApiKey = operation({
  id: 'keys.revoke',
  route: keysRoutes['keys.revoke'],
  summary: 'Revoke an API key at once',
  description:
    'Deletes an API key. It stops working at once on every node, and streams that it opened are closed. The key of `ATRIUM_ADMIN_KEY` cannot be revoked here, and a system key cannot revoke itself.',
  tag,
  permission: 'workspace_admin',
  params: apiKeyParams,
  errors: [
    refused('forbidden', 'The key is a system key, or holds permissions of the organization that the caller lacks.'),
    noSuch('API key'),
    conflicts('conflict', 'The key is set by `ATRIUM_ADMIN_KEY`, or a system key would revoke itself.'),
  ],
  answer: success,
});

export const rotateApiKey = operation({
  id: 'keys.rotate',
  route: keysRoutes['keys.rotate'],
  summary: 'Replace an API key; the old value works for the overlap',
  description:
    'Creates a new value with the same name, permissions, role and limit, and returns it once. The old value expires after `overlap_seconds`, so that clients can be changed without an interruption. The owner stays. A caller cannot rotate a key that holds more than it does itself; a key of a person is rotated by that person or by an administrator of the organization.',
  tag,
  permission: 'workspace_admin',
  params: apiKeyParams,
  body: apiKeyRotate,
  example: { overlap_seconds: 3600 },
  errors: [
    refused('forbidden', 'The key holds more than the caller, or belongs to another person.'),
    noSuch('API key'),
    conflicts('conflict', 'The key is set by `ATRIUM_ADMIN_KEY`, or has expired.'),
  ],
  answer: apiKey,
});

export const keysOperations = [
  getOwnApiKey,
  listApiKeys,
  listAllApiKeys,
  createApiKey,
  updateApiKey,
  revokeApiKey,
  rotateApiKey,
];
