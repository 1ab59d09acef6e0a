import { setTimeout as sleep } from 'node:timers/promises';
import { cacheUntilNotified } from '../../db/cache-until-notified.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { BudgetReached } from '../../lib/budget-reached.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { isOutsider, namesOf } from '../../lib/scope.ts';
import type { CallHold, CallNeed, ModelCaller, UsedByCall } from '../model-calls/ports.ts';
import { firstDayOf } from './budget-period.ts';
import { budgetsTopic } from './ports.ts';
import * as store from './store.ts';

/** Reserves room on all budgets that apply to a model call, and settles it with what the call used. */
export interface CallBudgets {
  /** Undefined when no budget applies. Throws `BudgetReached` when one has no room. */
  reserve(call: CallNeed, signal: AbortSignal): Promise<CallHold | undefined>;
  /** Throws `BudgetReached` when a budget has nothing left, before work for this caller is begun. */
  requireRoom(caller: ModelCaller, agentOf?: () => Promise<string | null>): Promise<void>;
  close(): Promise<void>;
}

/** A process that has not renewed its lease for so long is gone. */
const leaseSeconds = 60;
const renewEvery = 15_000;
/** How long a call waits for room that other calls hold, before its answer is shortened or it is refused. */
const longestWait = 20_000;
/** Providers refuse to write less than this. */
const leastOutput = 16;

/** Dollars for a million tokens, as billionths of a dollar for one. */
const nanoPerToken = (price: number) => Number((price * 1000).toFixed(6));
const nanoOf = (dollars: number) => Math.ceil(Number((dollars * 1e9).toFixed(3)));

function applies(budget: store.BudgetRow, caller: ModelCaller, agent_id: string | null): boolean {
  const { actor } = caller;
  if (budget.agent_id !== null) return budget.agent_id === agent_id;
  if (budget.key_id !== null)
    return actor !== undefined && namesOf(actor).some((id) => id === budget.key_id || id === budget.key_line);
  const isHere = budget.workspace_id === null || budget.workspace_id === caller.workspace_id;
  if (budget.person_id === null) return isHere;
  return isHere && budget.person_id === (caller.person_id ?? (actor?.kind === 'person' ? actor.id : undefined));
}

export function makeCallBudgets(deps: { db: Database; notifier: Notifier; log: Log; clock: Clock }): CallBudgets {
  const { db, notifier, log, clock } = deps;
  const node = newId();
  const budgetsOf = cacheUntilNotified(notifier, budgetsTopic, (tenant_id) => store.allBudgets(db, tenant_id));
  const open = new Set<string>();
  /** Calls whose settlement failed; their reservations stand until it succeeds. */
  const unsettled = new Map<string, [tokens: number | null, nano: number | null]>();
  let alive_until = 0;
  let renewing: Promise<void> | undefined;

  async function renew(): Promise<void> {
    const until = Date.now() + leaseSeconds * 1000;
    await store.renewNode(db, node, leaseSeconds);
    alive_until = until;
  }
  /** No reservation is made by a process that would be taken for gone. */
  function stayAlive(): Promise<void> | undefined {
    if (Date.now() < alive_until - leaseSeconds * 500) return undefined;
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }
  const timer = setInterval(() => {
    for (const [hold, amounts] of unsettled) void settle(hold, ...amounts);
    if (open.size > 0) stayAlive()?.catch((error) => log.warn('budgets.lease_not_renewed', errorFields(error)));
  }, renewEvery).unref();

  async function settle(hold: string, tokens: number | null, nano: number | null): Promise<void> {
    try {
      unsettled.delete(hold);
      for (const { budget, event } of await store.settle(db, hold, tokens, nano))
        log.warn(event, { budget_id: budget });
      open.delete(hold);
    } catch (error) {
      unsettled.set(hold, [tokens, nano]);
      log.warn('budgets.call_not_settled', errorFields(error));
    }
  }

  async function matching(caller: ModelCaller, agent_id: string | null): Promise<store.BudgetRow[]> {
    const all = await budgetsOf(caller.tenant_id);
    return all.length === 0 ? all : all.filter((budget) => applies(budget, caller, agent_id));
  }
  const daysOf = (budgets: readonly store.BudgetRow[]) => {
    const at = clock.now();
    return budgets.map((budget) => ({ id: budget.id, day: firstDayOf(budget, at) }));
  };

  /** Guests of a page or a link do not learn the names of budgets. */
  function reached({ actor }: ModelCaller, name: string | undefined): BudgetReached {
    const named = name === undefined || (actor && isOutsider({ actor })) ? 'A budget' : `The budget "${name}"`;
    return new BudgetReached(`${named} has no room left for this; an administrator can raise it`);
  }

  async function reserveRoom(call: CallNeed, budgets: readonly store.BudgetRow[], signal: AbortSignal) {
    const { caller, price, input_tokens, max_tokens } = call;
    const hold = newId();
    const waits_until = Date.now() + longestWait;
    const priced = price && [nanoPerToken(Math.max(price.input, price.cached_input)), nanoPerToken(price.output)];
    const [nano_in = null, nano_out = null] = priced ?? [];
    const least_tokens = Math.min(leastOutput, max_tokens);
    open.add(hold);
    try {
      for (let pause = 20; ; pause = Math.min(250, pause * 1.5)) {
        signal.throwIfAborted();
        await stayAlive();
        const patient = Date.now() < waits_until;
        const wanted = { hold, node, input_tokens, max_tokens, least_tokens, nano_in, nano_out, patient };
        const { granted, budget, waits, is_new } = await store.reserve(db, daysOf(budgets), wanted);
        const { id, name } = budgets.find((one) => one.id === budget) ?? {};
        if (is_new) log.warn('budget.reached', { budget_id: id });
        if (granted !== null) return { hold, granted, name };
        if (!waits) throw reached(caller, name);
        await sleep(pause * (0.5 + Math.random()), undefined, { signal });
      }
    } catch (error) {
      // A reservation whose answer was lost is given back: its call is not made.
      if (error instanceof BudgetReached || signal.aborted) open.delete(hold);
      else unsettled.set(hold, [0, 0]);
      throw error;
    }
  }

  return {
    async reserve(call, signal) {
      const budgets = await matching(call.caller, call.context?.agent_id ?? null);
      if (budgets.length === 0) return undefined;
      const { hold, granted, name } = await reserveRoom(call, budgets, signal);
      return {
        max_tokens: granted,
        input_tokens: call.input_tokens,
        cut: () => (granted < call.max_tokens ? reached(call.caller, name) : undefined),
        settle: (used: UsedByCall | undefined) =>
          settle(hold, used ? used.tokens : null, used ? nanoOf(used.cost ?? 0) : null),
      };
    },

    async requireRoom(caller, agentOf) {
      if ((await budgetsOf(caller.tenant_id)).length === 0) return;
      const budgets = await matching(caller, (await agentOf?.()) ?? null);
      const full = budgets.length ? await store.findReached(db, daysOf(budgets)) : undefined;
      if (full) throw reached(caller, full.name);
    },

    async close() {
      clearInterval(timer);
      for (const [hold, amounts] of unsettled) await settle(hold, ...amounts);
    },
  };
}
