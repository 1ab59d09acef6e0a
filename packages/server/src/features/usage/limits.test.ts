import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RunFailure } from '../../execution/run-failure.ts';
import type { Charge, Refusal } from './account-store.ts';
import { callsAhead, makeLimits } from './service.ts';

const isUsedUp = (error: unknown) => error instanceof RunFailure && error.code === 'usage_limit_reached';

/** An account as the database keeps it, for one conversation. */
function anAccount(most_tokens: number, most_calls = 30, used = 0) {
  const state = { used, reserved: 0, calls: 0, statements: 0, highest: 0 };
  async function charge({ take = 0, give = 0, spent = 0, calls = 0 }: Charge): Promise<Refusal | undefined> {
    state.statements++;
    await Promise.resolve();
    const reserved = Math.max(0, state.reserved - give);
    const full = state.used + spent + reserved + take > most_tokens;
    if (take > 0 && (full || (calls > 0 && state.calls + calls > most_calls)))
      return { account: 'c', used: state.used + spent, reserved, calls_made: state.calls };
    state.used += spent;
    state.reserved = reserved + take;
    state.calls = Math.max(0, state.calls + calls);
    state.highest = Math.max(state.highest, state.used);
    return undefined;
  }
  const limits = (slice = 0) =>
    makeLimits({
      accounts: [{ conversation_id: 'c', most_tokens, most_calls }],
      ...{ charge, slice, deadline: Date.now() + 60_000, signal: new AbortController().signal },
    });
  return { state, limits };
}

const asks = (max_tokens: number) => ({ max_tokens });

test('counts every attempt as a model call and refuses the one too many', async () => {
  const { limits } = anAccount(100_000, 2);
  const budget = limits().budget(10);
  for (let call = 0; call < 2; call++)
    await (await budget.reserve(asks(100))).settle({ input_tokens: 0, output_tokens: 0 });
  await assert.rejects(budget.reserve(asks(100)), isUsedUp);
});

test('grants the requested tokens while there is room, and the rest near the end', async () => {
  const { limits } = anAccount(1000, 30, 600);
  const far = await limits().budget(10).reserve(asks(300));
  assert.deepEqual([far.max_tokens, far.lowered], [300, false]);
  await far.settle({ input_tokens: 10, output_tokens: 90 });
  const near = await limits().budget(50).reserve(asks(900));
  assert.deepEqual([near.max_tokens, near.lowered], [250, true]);
});

test('refuses a call whose input alone does not fit', async () => {
  const { limits } = anAccount(1000, 30, 950);
  await assert.rejects(limits().budget(50).reserve(asks(1)), isUsedUp);
});

test('raises its estimate once a model counts more tokens', async () => {
  const { limits } = anAccount(2000);
  const own = limits();
  const first = await own.budget(100).reserve(asks(10_000));
  await first.settle({ input_tokens: 200, output_tokens: 0 });
  const second = await own.budget(100).reserve(asks(10_000));
  assert.deepEqual([first.max_tokens, second.max_tokens], [1900, 1600]);
});

test('reserves ahead, so that a short run needs one statement, and gives all of it back', async () => {
  const { state, limits } = anAccount(100_000);
  const own = limits(10_000);
  for (let call = 0; call < callsAhead; call++) {
    const grant = await own.budget(100, { logged: true }).reserve(asks(1000));
    await grant.settle({ input_tokens: 100, output_tokens: 50 });
  }
  assert.equal(state.statements, 1);
  // As tools do that run side by side.
  await Promise.all([own.release(), own.release()]);
  assert.deepEqual([state.used, state.reserved, state.calls], [callsAhead * 150, 0, callsAhead]);
});

test('waits for room that other calls have reserved and do not use', async () => {
  const { limits } = anAccount(1000);
  const first = await limits().budget(100).reserve(asks(900));
  const second = limits().budget(100).reserve(asks(500));
  await first.settle({ input_tokens: 100, output_tokens: 100 });
  assert.equal((await second).max_tokens, 500);
});

test('never passes a limit with any parallel calls', async () => {
  const call = fc.record({
    input: fc.integer({ min: 0, max: 300 }),
    wanted: fc.integer({ min: 1, max: 900 }),
    in: fc.double({ min: 0, max: 1, noNaN: true }),
    out: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3000 }),
      fc.constantFrom(0, 1200),
      fc.array(fc.array(call, { maxLength: 6 }), { maxLength: 4 }),
      async (most, slice, callers) => {
        const { state, limits } = anAccount(most);
        const spend = async (calls: (typeof callers)[number], index: number) => {
          // One caller reserves ahead, as a run does whose children reserve one by one.
          const own = limits(index === 0 ? slice : 0);
          for (const { input, wanted, ...share } of calls) {
            try {
              const grant = await own.budget(input).reserve(asks(wanted));
              assert.ok(grant.max_tokens >= 1 && grant.max_tokens <= wanted);
              await grant.settle({
                input_tokens: Math.floor(share.in * input),
                output_tokens: Math.floor(share.out * grant.max_tokens),
              });
            } catch (error) {
              assert.ok(isUsedUp(error), String(error));
            }
            if (index === 0) await own.release();
          }
        };
        await Promise.all(callers.map(spend));
        assert.ok(state.highest <= most && state.calls <= 30 && state.reserved === 0, JSON.stringify(state));
      },
    ),
    { numRuns: 40 },
  );
});
