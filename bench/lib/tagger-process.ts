import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sentences } from '../../packages/server/safety-eval/sentences.ts';
import { makeNeuralTagger } from '../../packages/server/src/drivers/taggers/neural.ts';
import { megabytesOf } from './process-figures.ts';

/*
 * A process that does nothing but find names, so that its memory is the tagger's. The text is our own sentences, over and
 * over: ordinary words are met again, as in any text, and so are the names, which makes it a little kind.
 */
const text = `${sentences.map((one) => one.text).join('\n')}\n`.repeat(10);
const before = megabytesOf(process.pid);
const tagger = makeNeuralTagger();
const began = performance.now();
await tagger.tag('Anna');
const start_ms = performance.now() - began;

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const per_second: number[] = [];
for (let round = 0; round < 5; round++) {
  const started = performance.now();
  await tagger.tag(text);
  per_second.push((text.length / (performance.now() - started)) * 1000);
}
delay.disable();
const megabytes = megabytesOf(process.pid) - before;
process.stdout.write(
  JSON.stringify({
    start_ms,
    per_second,
    megabytes,
    delay_ms: delay.percentile(99) / 1e6,
    longest_ms: delay.max / 1e6,
  }),
);
