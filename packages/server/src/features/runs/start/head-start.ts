import type { Executor } from '../../../execution/executor.ts';
import type { Slot } from '../../../execution/slots.ts';
import { errorFields } from '../../../lib/log.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { LoadedConversation } from '../../conversations/ports.ts';
import { progressFromEvents } from '../loop/progress.ts';
import type { ProduceEvents, StartedWith } from '../ports.ts';
import type { RunRow } from '../store.ts';
import { readAhead } from './read-ahead.ts';

export type HeadStart = ReturnType<ReturnType<typeof makeHeadStarts>>;

/**
 * A run begins when its message is stored but for the commit: the model is asked while the disk is waited for. The
 * message has passed every check by then. Nothing of the run is shown or stored before the commit.
 */
export function makeHeadStarts(deps: { executor: Executor<RunRow, StartedWith>; events: ProduceEvents }) {
  const { executor, events } = deps;

  function begin(run: RunRow, held: LoadedConversation) {
    const accepted = Promise.withResolvers<void>();
    // Of a run that waits for nothing, nobody looks at it.
    accepted.promise.catch(() => {});
    const { scope, signal, start, drop } = executor.expect(run);
    const told = events(scope, run, signal, progressFromEvents([]), { ...held, accepted: accepted.promise });
    const ahead = readAhead(told, signal);
    return {
      start(stored: RunRow, slot: Slot) {
        accepted.resolve();
        start(stored, slot, { ...held, ahead });
      },
      drop() {
        accepted.reject(new Error('The message was not stored'));
        drop();
        void ahead.return?.().catch(() => {});
      },
    };
  }

  return (scope: Scope) => {
    let begun: ReturnType<typeof begin> | undefined;
    return {
      /** The message is stored but for the commit. A statement that is repeated tells of it again. */
      begin(run: RunRow, held: LoadedConversation): void {
        begun?.drop();
        try {
          begun = begin(run, held);
        } catch (error) {
          begun = undefined;
          scope.log.warn('A run did not begin before its message was stored', errorFields(error));
        }
      },

      /** The message is stored. */
      start(run: RunRow, slot: Slot, held: LoadedConversation): void {
        if (begun) begun.start(run, slot);
        else executor.start(run, slot, held);
      },

      /** The message is not stored after all, or the run begins later. */
      drop(): void {
        begun?.drop();
      },
    };
  };
}
