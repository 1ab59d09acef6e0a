/** What is told while work goes on, for one who waits for the work and wants to hear of it meanwhile. */
export function makeNews<T>() {
  let told: T[] = [];
  let wake = () => {};

  return {
    tell(one: T): void {
      told.push(one);
      wake();
    },

    /** All that is told until the work is over, however it ends: whoever wants to know that awaits it. */
    async *until(work: Promise<unknown>): AsyncGenerator<T> {
      let over = false;
      const ended = () => {
        over = true;
        wake();
      };
      work.then(ended, ended);
      for (;;) {
        const some = told;
        told = [];
        yield* some;
        if (told.length > 0) continue;
        if (over) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
