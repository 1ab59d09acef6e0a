import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workflowRig } from './workflow-kill.ts';

test('a workflow whose server is killed goes on after the next start, with the same output and no effect twice', async () => {
  const rig = await workflowRig();
  try {
    const whole = await rig.round({});
    assert.deepEqual([whole.died, whole.status, whole.error, whole.again], [false, 'completed', null, []]);
    const killed = await rig.round({ DIE_AT: '7' });
    assert.deepEqual(killed, { ...whole, died: true });
  } finally {
    await rig.close();
  }
});
