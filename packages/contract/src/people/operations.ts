import * as z from 'zod';
import { operation } from '../operation.ts';
import { paged, success, summaryOf } from '../page.ts';
import { peopleRoutes } from './routes.ts';
import {
  invitation,
  invitationCreate,
  invitationParams,
  member,
  memberParams,
  memberSet,
  ownAccountPatch,
  peopleQuery,
  person,
  personParams,
  personPatch,
  resetLink,
  workspaceParams,
} from './schema.ts';

const tag = 'People';

export const listPeople = operation({
  id: 'people.list',
  route: peopleRoutes['people.list'],
  summary: 'List the people of the organization',
  description: 'Returns everybody with an account, by name, active or not. For administrators of the organization.',
  tag,
  permission: 'org:admin',
  query: peopleQuery,
  answer: paged(
    person,
    summaryOf(person, ['id', 'name', 'email', 'tenant_admin', 'active', 'last_sign_in_at', 'created_at', 'updated_at']),
  ),
});

export const getPerson = operation({
  id: 'people.get',
  route: peopleRoutes['people.get'],
  summary: 'Get a person',
  description: 'Returns one account of the organization.',
  tag,
  permission: 'org:admin',
  params: personParams,
  answer: person,
});

export const updatePerson = operation({
  id: 'people.update',
  route: peopleRoutes['people.update'],
  summary: 'Rename, deactivate, promote or limit a person',
  description:
    'Changes an account. Deactivating a person, or changing whether they administer the organization, ends their sessions and open streams at once. Deactivating also revokes their API keys, and pauses their triggers and deployments until these have another owner. The last active administrator can be neither deactivated nor demoted: that is answered with 409 `last_administrator`. `rate_limit` and `stream_limit` hold for all sessions of the person, at once.',
  tag,
  permission: 'org:admin',
  params: personParams,
  body: personPatch,
  example: { name: 'Ada Byron' },
  answer: person,
});

export const updateOwnAccount = operation({
  id: 'people.updateOwn',
  route: peopleRoutes['people.updateOwn'],
  summary: 'Change the own name',
  description:
    'Changes the name that others see of the person who is signed in, everywhere and at once. Sessions go on. A directory or an identity provider that sends a name sets it again at its next turn.',
  tag: 'Sign-in',
  permission: 'session',
  body: ownAccountPatch,
  example: { name: 'Ada Byron' },
  answer: person,
});

export const makeResetLink = operation({
  id: 'people.makeResetLink',
  route: peopleRoutes['people.makeResetLink'],
  summary: 'Make a link to set a new password',
  description:
    'Returns a secret, valid for one day and for one use, that the person sets a new password with (`POST /v1/auth/password-reset`). An earlier link of the person stops working. The old password works until the new one is set.',
  tag,
  permission: 'org:admin',
  params: personParams,
  answer: resetLink,
});

export const listMembers = operation({
  id: 'members.list',
  route: peopleRoutes['members.list'],
  summary: 'List the members of a workspace',
  description: 'Returns all members of the workspace with their roles in one list, without pages.',
  tag,
  permission: 'workspace_admin',
  params: workspaceParams,
  answer: z.array(member),
});

export const setMember = operation({
  id: 'members.set',
  route: peopleRoutes['members.set'],
  summary: 'Add a person to a workspace, or change their role',
  description:
    'Gives the person this role in the workspace, in place of an earlier one, and ends their sessions, so that the change holds at once. Adding a person who is not a member yet needs an administrator of the organization; others invite. A caller can give only a role whose permissions it holds itself, and can take no role that holds more. With `If-Match` the request fails with 409 when the role was changed since.',
  tag,
  permission: 'workspace_admin',
  params: memberParams,
  body: memberSet,
  versioned: true,
  example: { role_id: '0190a000-0000-7000-8000-000000000001' },
  answer: member,
});

export const removeMember = operation({
  id: 'members.remove',
  route: peopleRoutes['members.remove'],
  summary: 'Remove a person from a workspace',
  description: 'Ends the membership and the sessions of the person. The account itself stays.',
  tag,
  permission: 'workspace_admin',
  params: memberParams,
  answer: success,
});

export const listInvitations = operation({
  id: 'invitations.list',
  route: peopleRoutes['invitations.list'],
  summary: 'List the open invitations to a workspace',
  description: 'Returns the invitations that were not accepted and have not expired, in one list, without pages.',
  tag,
  permission: 'workspace_admin',
  params: workspaceParams,
  answer: z.array(invitation),
});

export const createInvitation = operation({
  id: 'invitations.create',
  route: peopleRoutes['invitations.create'],
  summary: 'Invite a person; the token is shown once',
  description:
    'Makes an invitation and returns its token, which cannot be read again. Where the server sends mail, the link is mailed too. Who has the token can make the account for this mail address and joins the workspace with the role. A caller can give only a role whose permissions it holds itself.',
  tag,
  permission: 'workspace_admin',
  params: workspaceParams,
  body: invitationCreate,
  example: { email: 'ada@example.com', role_id: '0190a000-0000-7000-8000-000000000001' },
  answer: invitation,
});

export const revokeInvitation = operation({
  id: 'invitations.revoke',
  route: peopleRoutes['invitations.revoke'],
  summary: 'Revoke an invitation',
  description: 'Makes the link of the invitation useless at once.',
  tag,
  permission: 'workspace_admin',
  params: invitationParams,
  answer: success,
});

export const peopleOperations = [
  ...[listPeople, getPerson, updatePerson, updateOwnAccount, makeResetLink],
  ...[listMembers, setMember, removeMember],
  ...[listInvitations, createInvitation, revokeInvitation],
];
