import * as z from 'zod';

export const actorKinds = ['person', 'api_key', 'service_account_key', 'link', 'channel', 'trigger', 'system'] as const;

/** Who did something, beside the field that has the id alone. */
export const actor = z
  .strictObject({
    id: z.string().describe('The id, as in the field without `_actor`.'),
    name: z
      .string()
      .nullable()
      .describe('The current name. Null: the actor is gone, has no name, or the caller may not read it.'),
    kind: z
      .enum(actorKinds)
      .nullable()
      .describe(
        'What it is: a person, an API key of a person or of a service account, the guest of a shared link, a deployment (`channel`), a trigger, or the platform itself. Null: the actor is gone.',
      ),
  })
  .meta({ id: 'Actor' });

/** The field beside a `*_by` field. */
export const actorField = (what: string) => actor.nullable().describe(`${what} Null where the id is null.`);

export type ActorName = z.output<typeof actor>;
