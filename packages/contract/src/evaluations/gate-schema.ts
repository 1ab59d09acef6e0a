import * as z from 'zod';
import { actorField } from '../actor.ts';
import * as s from '../schema/schema.ts';

export const publishGateBody = s
  .object({
    evaluation_id: s.uuid('evaluation').describe('The evaluation of this agent that must pass.'),
    threshold: s
      .withDefault(s.number({ gt: 0, le: 1 }), 1)
      .describe('The share of the cases that must pass, over 0 and up to 1; all of them unless given.'),
  })
  .meta({ id: 'PublishGateBody' });
export type PublishGateBody = z.output<typeof publishGateBody>;

const gate = z.strictObject({
  evaluation_id: z.guid().describe('The evaluation that must pass.'),
  threshold: z.number().describe('The share of the cases that must pass.'),
  set_by: z.guid().nullable().describe('The id of the person or API key that set the gate. Null: not known.'),
  set_by_actor: actorField('Who set the gate.'),
  set_at: z.iso.datetime().describe('When it was set (ISO 8601, UTC).'),
});
export const publishGate = z
  .strictObject({
    agent_id: z.guid().describe('The agent whose versions are checked.'),
    gate: gate.nullable().describe('What must pass before a version is published. Null: nothing.'),
  })
  .meta({ id: 'PublishGate' });
export type PublishGateAnswer = z.output<typeof publishGate>;

/** Publishes although the gate has not been passed; for all operations that publish. */
export const overrideReason = () =>
  s
    .optional(s.str({ min: 1, max: 2000 }))
    .describe(
      'Why the version is published although it has not passed the evaluation of the agent. It needs `workspace_admin` and is kept with the version and in the audit log. Without a gate, or when it has passed, it has no effect.',
    );
