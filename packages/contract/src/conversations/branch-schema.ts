import * as z from 'zod';
import { actorField } from '../actor.ts';
import { createdAt } from '../fields.ts';

const branch = z.strictObject({
  message_id: z.guid().describe('The first message of the branch; it is chosen by this id.'),
  text: z.string().describe('The first 200 characters of that message.'),
  messages: z.int().describe('How many messages the branch has.'),
  is_shown: z.boolean().describe('Whether the conversation shows this branch.'),
  created_at: createdAt,
  written_by: z.guid().nullable().describe('The id of the actor that wrote the first message. Null: not known.'),
  written_by_actor: actorField('Who wrote the first message.'),
});

export const branchPlace = z
  .strictObject({
    message_id: z.guid().nullable().describe('The message that is shown at this place. Null: none is.'),
    number: z.int().describe('Which of the branches is shown, counted from 1; 0: none.'),
    branches: z.array(branch).describe('The branches of this place, oldest first.'),
  })
  .meta({ id: 'BranchPlace' });
export const branchPlaces = z.array(branchPlace);

export type BranchPlace = z.output<typeof branchPlace>;
