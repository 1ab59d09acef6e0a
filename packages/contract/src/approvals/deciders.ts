import * as z from 'zod';

const named = (what: string) =>
  z.array(
    z.strictObject({
      id: z.guid().describe(`The id of the ${what}.`),
      name: z.string().describe(`The name of the ${what}.`),
    }),
  );

const waitingFor = z
  .strictObject({
    people: named('person').describe('People who may decide now, by name; at most twenty.'),
    more: z.boolean().describe('Whether more people than these may decide.'),
    groups: named('user group').describe('The user groups that are named to decide, by name.'),
    named: z.boolean().describe('Whether people or user groups are named to decide; only they may then.'),
    administrators: z
      .boolean()
      .describe('Whether nobody who is named is active, so that the administrators of the workspace decide.'),
  })
  .meta({ id: 'WaitingFor' });
export type WaitingFor = z.output<typeof waitingFor>;

/** Who decides about a request to people, and whether the reader does. */
export const deciderFields = {
  waiting_for: waitingFor
    .nullable()
    .describe('Who may decide. Null: the request does not wait, or is answered by everybody with the permission.'),
  may_decide: z.boolean().describe('Whether the caller may decide now.'),
};
