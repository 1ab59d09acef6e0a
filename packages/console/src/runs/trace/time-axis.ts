import { sayDuration, sayNumber } from '../../lib/numbers.ts';

const steps = [
  ...[10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000],
  ...[1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000],
];

/** Round moments of a time axis, in milliseconds: at most this many after its beginning. */
export function pickMoments(endMs: number, most = 6): readonly number[] {
  const step = steps.find((size) => endMs / size <= most) ?? Math.ceil(endMs / most / 86_400_000) * 86_400_000;
  return Array.from({ length: Math.floor(endMs / step) + 1 }, (_, index) => index * step);
}

/** A moment of the axis: whole seconds without a fraction. */
export const sayTick = (ms: number): string =>
  ms < 10_000 && ms % 1000 === 0 ? `${sayNumber(ms / 1000)} s` : sayDuration(ms);
