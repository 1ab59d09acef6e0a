import { done } from '@atrium/contract/page.ts';
import {
  createInvitation,
  getPerson,
  listInvitations,
  listMembers,
  listPeople,
  makeResetLink,
  removeMember,
  revokeInvitation,
  setMember,
  updateOwnAccount,
  updatePerson,
} from '@atrium/contract/people/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { People } from './service.ts';

export const peopleRoutes = (people: People): Route[] => [
  handle(listPeople, (scope, { query }) => people.list(scope, query)),
  handle(getPerson, (scope, { params }) => people.get(scope, params.person_id)),
  handle(updatePerson, (scope, { params, body }) => people.update(scope, params.person_id, body)),
  handle(updateOwnAccount, (scope, { body }) => people.update(scope, scope.actor.id, body)),
  handle(makeResetLink, (scope, { params }) => people.makeResetLink(scope, params.person_id)),
  handle(listMembers, (scope, { params }) => people.members(scope, params.group_id)),
  handle(setMember, (scope, { params, body }) =>
    people.setMember(scope, params.group_id, params.person_id, body.role_id),
  ),
  handle(removeMember, async (scope, { params }) => {
    await people.removeMember(scope, params.group_id, params.person_id);
    return done;
  }),
  handle(listInvitations, (scope, { params }) => people.invitations(scope, params.group_id)),
  handle(createInvitation, (scope, { params, body }) => people.invite(scope, params.group_id, body)),
  handle(revokeInvitation, async (scope, { params }) => {
    await people.revokeInvitation(scope, params.group_id, params.invitation_id);
    return done;
  }),
];
