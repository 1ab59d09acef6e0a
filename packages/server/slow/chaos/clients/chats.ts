import { startApprovedCrashConversation, startCrashConversation } from '../../../test/crash/crash-conversations.ts';
import type { CrashTestServer } from '../../../test/crash/crash-test-server.ts';
import type { ChaosNodes } from '../chaos-nodes.ts';
import type { Client } from './client.ts';

/** Chats, with five readers of each answer that go on after every cut: no gap, no repeat, the whole text once. */
export function chats(chaos: ChaosNodes): Client {
  const talks: Awaited<ReturnType<typeof startCrashConversation>>[] = [];
  const rig = chaos as unknown as CrashTestServer;
  return {
    async work(number) {
      const talk = await startCrashConversation(rig, `${number % 2 ? 'paced' : 'fast'} talk ${number}`);
      talks.push(talk);
      await talk.done;
    },
    async check() {
      for (const talk of talks) await talk.check();
      return `${talks.length} chats, ${talks.reduce((sum, talk) => sum + talk.resets(), 0)} resets`;
    },
  };
}

/** Chats whose calls people approve: each is asked for, decided and made once. */
export function approvals(chaos: ChaosNodes): Client {
  const talks: Awaited<ReturnType<typeof startApprovedCrashConversation>>[] = [];
  return {
    async work(number) {
      const rig = chaos as unknown as CrashTestServer;
      const talk = await startApprovedCrashConversation(rig, `approved talk ${number}`);
      talks.push(talk);
      await talk.done;
    },
    async check() {
      for (const talk of talks) await talk.check();
      return `${talks.length} approved chats`;
    },
  };
}
