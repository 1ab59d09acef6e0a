import type { Executor } from '../../../execution/executor.ts';
import type { Slot } from '../../../execution/slots.ts';
import { errorFields } from '../../../lib/log.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { LoadedConversation } from '../../conversations/ports.ts';
import { progressFromEvents } from '../loop/progress.ts';
import type { ProduceEvents, StartedWith } from '../ports.ts';
import type { RunRow } from '../store.ts';
import { readAhead } from './read-ahead.ts';

interface HeadStartDeps {
  executor: Pick<Executor<RunRow, StartedWith>, 'expect' | 'start'>;
  events: ProduceEvents;
}

/**
 * A run begins when its message is executed and not committed: the model is asked while the disk is waited for. The message
 * has passed every check by then. What stores or shows something waits for the commit.
 */
export function makeHeadStarts({ executor, events }: HeadStartDeps) {
  function begin(run: RunRow, held: LoadedConversation) {
    const expected = executor.expect(run);
    if (!expected) return undefined;
    const { scope, signal } = expected;
    const accepted = Promise.withResolvers<void>();
    // A run may end without having waited for it, and its rejection would then end the process.
    accepted.promise.catch(() => {});
    const produced = events(scope, run, signal, progressFromEvents([]), { ...held, accepted: accepted.promise });
    const ahead = readAhead(produced, signal);
    const drop = () => {
      accepted.reject(new Error('The message was not stored, or its run goes on at another node'));
      expected.drop();
      void ahead.return?.().catch(() => {});
    };
    return {
      start(stored: RunRow, slot: Slot): void {
        if (expected.start(stored, slot, { ...held, ahead })) accepted.resolve();
        else drop();
      },
      drop,
    };
  }

  return (scope: Scope) => {
    let begun: ReturnType<typeof begin>;
    let isOver = false;
    return {
      /** The message is executed. A statement that is repeated calls it again. */
      begin(run: RunRow, held: LoadedConversation): void {
        if (isOver) return;
        begun?.drop();
        begun = undefined;
        try {
          begun = begin(run, held);
        } catch (error) {
          scope.log.warn('A run did not begin before its commit', errorFields(error));
        }
      },

      /** The message is committed. */
      start(run: RunRow, slot: Slot, held: LoadedConversation): void {
        isOver = true;
        if (begun) begun.start(run, slot);
        else executor.start(run, slot, held);
      },

      /** The message is not committed, or its run has to wait. */
      drop(): void {
        isOver = true;
        begun?.drop();
      },
    };
  };
}
