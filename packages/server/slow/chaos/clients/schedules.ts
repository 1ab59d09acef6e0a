import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosNodes } from '../chaos-nodes.ts';
import type { Client } from './client.ts';
import { makeTellingWorkflow, startShop, untilWorkflowsRest } from './shop.ts';

const minute = 60_000;

interface Delivery {
  status: string;
  run_id: string | null;
  input: { trigger: { scheduled_for: string } };
}

/** A workflow that runs each minute and tells another server: each minute has one run, and none is left out. */
export async function schedules(chaos: ChaosNodes): Promise<Client> {
  const shop = await startShop();
  const flow_id = await makeTellingWorkflow(chaos, 'Minutes', 'trigger', shop.url);
  const definition = { type: 'schedule', cron: '* * * * *', catch_up: 'all' };
  const made = Date.now();
  const trigger = await chaos.insist('POST', `/v1/workflows/${flow_id}/triggers`, { name: 'Minutes', definition });
  const acknowledged = Date.now();

  async function readDeliveries(): Promise<Delivery[]> {
    const page = await chaos.insist('GET', `/v1/triggers/${trigger.id}/deliveries?size=100`);
    return page.items;
  }

  return {
    work: () => sleep(1000),
    async check() {
      const now = Date.now();
      const due: number[] = [];
      for (let slot = Math.ceil(acknowledged / minute) * minute; slot <= now; slot += minute) due.push(slot);
      const slotsOf = (deliveries: Delivery[]) =>
        deliveries.map(({ input }) => Date.parse(input.trigger.scheduled_for)).filter((slot) => slot <= now);
      let slots: number[] = [];
      // The last minute may have begun just now.
      for (const end = now + 30_000; Date.now() < end; await sleep(200)) {
        slots = slotsOf(await readDeliveries());
        if (slots.length >= due.length) break;
      }
      assert.equal(new Set(slots).size, slots.length, 'no minute is there twice');
      assert.deepEqual(
        due.filter((slot) => !slots.includes(slot)).map((slot) => new Date(slot).toISOString()),
        [],
        'no minute is left out',
      );
      assert.ok(
        slots.every((slot) => slot >= Math.floor(made / minute) * minute),
        'no minute is of the time before',
      );
      await untilWorkflowsRest(chaos);
      for (const { status, run_id } of await readDeliveries()) {
        assert.equal(status, 'started');
        const runs = await chaos.query(`select 1 from workflow_runs where id = $1 and finished_at is not null`, [
          run_id,
        ]);
        assert.equal(runs.length, 1, 'the run of a minute came to its end');
      }
      for (const body of shop.bodies()) assert.equal(shop.countOf(body), 1, `${body} was told once`);
      return `${slots.length} minutes of a schedule`;
    },
    close: shop.close,
  };
}
