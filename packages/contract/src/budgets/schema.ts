import * as z from 'zod';
import { createdAt, etag, updatedAt } from '../fields.ts';
import { namedList } from '../list-query.ts';
import { paged, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';

const budgetScopes = ['organization', 'workspace', 'agent', 'key', 'person'] as const;
const budgetPeriods = ['day', 'month'] as const;
const budgetStates = ['ok', 'warned', 'reached'] as const;

const amounts = z.strictObject({
  tokens: z.int().describe('Input and output tokens.'),
  cost: z.number().describe('US dollars; models without a price count no money.'),
});

export const budget = z
  .strictObject({
    id: z.guid().describe('The id of the budget.'),
    name: z.string().describe('The name of the budget; errors name it to callers that it stops.'),
    scope: z.enum(budgetScopes).describe('Whose model calls it limits.'),
    group_id: z.guid().nullable().describe('The workspace that it limits, or that the agent or key is in. Null: all.'),
    agent_id: z.guid().nullable().describe('The agent that it limits.'),
    key_id: z.guid().nullable().describe('The API key that it limits, with the keys that it is rotated to.'),
    person_id: z
      .guid()
      .nullable()
      .describe('The person that it limits, in the workspace of `group_id` or, without one, in all workspaces.'),
    max_cost: z.number().nullable().describe('US dollars for each period. Null: any.'),
    max_tokens: z.int().nullable().describe('Input and output tokens for each period. Null: any.'),
    period: z.enum(budgetPeriods).describe('How often it starts again from nothing.'),
    time_zone: z.string().describe('Where days and months begin.'),
    warn_at: z.int().describe('The percentage of the budget at which `budget.warned` is published, once in a period.'),
    set_by_organization: z
      .boolean()
      .describe(
        'Whether an administrator of the organization made it; administrators of the workspace can not change it then.',
      ),
    state: z
      .enum(budgetStates)
      .describe('`warned`: `warn_at` is passed. `reached`: model calls are refused until the period is over.'),
    period_start: z.iso.datetime().describe('When the present period began.'),
    period_end: z.iso.datetime().describe('When it is over.'),
    used: amounts.describe('What was used in the period.'),
    reserved: amounts.describe('What calls under way may use at most; it is given back or used when they end.'),
    left: z
      .strictObject({
        tokens: z.int().nullable().describe('Null: any number.'),
        cost: z.number().nullable().describe('Null: any amount.'),
      })
      .describe('What is neither used nor reserved.'),
    over: amounts.describe('The part of `used` that providers reported beyond what a call was granted.'),
    warned_at: z.iso.datetime().nullable().describe('When `warn_at` was passed in this period. Null: it was not.'),
    reached_at: z.iso.datetime().nullable().describe('When it was reached in this period. Null: it was not.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
  })
  .meta({ id: 'Budget' });

const fields = {
  name: s.str({ min: 1, max: 200 }),
  max_cost: s.number({ ge: 0, le: 1_000_000 }),
  max_tokens: s.int({ ge: 0, le: 1_000_000_000_000 }),
  warn_at: s.int({ ge: 1, le: 100 }),
};

export const budgetCreate = s
  .object({
    name: fields.name.describe('The name of the budget.'),
    group_id: s
      .optional(s.uuid('workspace'))
      .describe(
        'Limit this workspace, or with `person_id` that person in it. Without this and the next three: the organization.',
      ),
    agent_id: s.optional(s.uuid('agent')).describe('Limit this agent, of the workspace that the request is made in.'),
    key_id: s.optional(s.uuid('api_key')).describe('Limit this API key, of the workspace that the request is made in.'),
    person_id: s.optional(s.uuid('person')).describe('Limit this person: in all workspaces, or in that of `group_id`.'),
    max_cost: s.optional(fields.max_cost).describe('US dollars for each period; this or `max_tokens` is needed.'),
    max_tokens: s.optional(fields.max_tokens).describe('Input and output tokens for each period.'),
    period: s.oneOf(budgetPeriods).describe('How often it starts again from nothing.'),
    time_zone: s
      .withDefault(s.str({ min: 1, max: 100 }), 'UTC')
      .describe('Where days and months begin, such as `Europe/Berlin`.'),
    warn_at: s.withDefault(fields.warn_at, 80).describe('The percentage at which to warn, once in a period.'),
  })
  .meta({ id: 'BudgetCreate' });

export const budgetPatch = s
  .object({
    name: s.optional(fields.name).describe('The name of the budget.'),
    max_cost: s.optional(fields.max_cost).describe('US dollars for each period.'),
    max_tokens: s.optional(fields.max_tokens).describe('Input and output tokens for each period.'),
    warn_at: s.optional(fields.warn_at).describe('The percentage at which to warn, once in a period.'),
  })
  .meta({ id: 'BudgetPatch' });

export const budgetPage = paged(
  budget,
  summaryOf(budget, [
    'id',
    'name',
    'scope',
    'state',
    'max_cost',
    'max_tokens',
    'period',
    'period_end',
    'created_at',
    'updated_at',
  ]),
);
export const budgetQuery = s.query({
  ...namedList(['name', 'created_at', 'updated_at'], { order: 'the oldest first' }),
  group_id: s.optional(s.uuid('workspace')).describe('Only budgets of this workspace, its agents, keys and people.'),
});
export const budgetParams = s.object({ budget_id: s.uuid('budget').describe('The id of the budget.') });

export type Budget = z.output<typeof budget>;
export type BudgetCreate = z.output<typeof budgetCreate>;
export type BudgetPatch = z.output<typeof budgetPatch>;
export type BudgetQuery = z.output<typeof budgetQuery>;
