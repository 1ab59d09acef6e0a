import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { makeWorkflowKillSetup } from './workflow-kill-setup.ts';

/** Every how many writes it is killed, from a write that chance picks: 1 kills at each. */
const stride = Number(process.env['WRITE_STRIDE'] ?? 1);
const first = 1 + randomInt(stride);

test(`a workflow of thirty nodes is killed at every write from ${first} by ${stride}: the same output, no effect twice`, async () => {
  const rig = await makeWorkflowKillSetup();
  try {
    const whole = await rig.round({});
    assert.deepEqual([whole.died, whole.status, whole.error, whole.again], [false, 'completed', null, []]);
    // Four of its own, one in each round, and one in each workflow inside of a round.
    assert.equal(whole.effects.length, 3 + 3 + 3);
    let kills = 0;
    for (let at = first; at < 200; at += stride)
      for (const before of ['0', '1']) {
        const round = await rig.round({ DIE_AT: String(at), DIE_BEFORE: before });
        assert.deepEqual({ ...round, died: false }, whole, `killed ${before === '1' ? 'before' : 'after'} write ${at}`);
        if (round.died) kills++;
        else if (before === '1') {
          assert.ok(kills >= 20 / stride, `there were only ${kills} writes to die at`);
          return;
        }
      }
  } finally {
    await rig.close();
  }
});
