/** A workspace has five requests for figures a second; a page leaves one for others. */
const most = 4;
const windowMs = 1000;

const starts: number[] = [];
let last: Promise<void> = Promise.resolve();

/** Waits until one more request for figures may be sent, in the order of asking. */
export function takeTurn(now: () => number = Date.now): Promise<void> {
  last = last.then(async () => {
    const oldest = starts.length >= most ? starts[starts.length - most] : undefined;
    const wait = oldest === undefined ? 0 : oldest + windowMs - now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    starts.push(now());
    if (starts.length > most) starts.shift();
  });
  return last;
}
